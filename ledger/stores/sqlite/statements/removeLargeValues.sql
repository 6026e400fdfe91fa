DELETE FROM largeValue
WHERE recordId = :id AND (name = 'input' AND NOT :staysInput OR name = 'result' AND NOT :staysResult)
