UPDATE namespace SET records = records + :count WHERE id = :namespaceId
