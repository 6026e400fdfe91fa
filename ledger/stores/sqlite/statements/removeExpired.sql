DELETE FROM record WHERE namespaceId = :namespaceId AND key = :key AND expiresAt <= :now
