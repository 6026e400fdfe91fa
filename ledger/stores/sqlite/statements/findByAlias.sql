SELECT {fields} FROM record WHERE namespaceId = :namespaceId AND alias = :alias
