SELECT name, text, externalId FROM part WHERE recordId = :id AND name = :name
