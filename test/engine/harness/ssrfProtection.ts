// n8n reads its settings when it is loaded, so this comes before it: nodes may not reach this machine.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
