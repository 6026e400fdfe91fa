DELETE FROM mark WHERE namespaceId = :namespaceId AND object = :object AND version = :version
