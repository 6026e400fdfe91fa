// n8n reads its settings when it is loaded, so this comes before it. Nodes that fail on purpose would
// fill the output of the tests.
process.env.N8N_LOG_LEVEL ??= 'silent';
