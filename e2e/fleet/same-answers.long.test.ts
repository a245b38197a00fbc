// Clients notice no difference between one gateway and three. All files of the catalogue and the SDKs run this way with
// HEARTH_TEST_GATEWAYS=3; these are the ones that streams and errors depend on most.

process.env['HEARTH_TEST_GATEWAYS'] = '3'
await import('../catalogue/i-replies.ts')
await import('../catalogue/budget.test.ts')
await import('../sdk/openai-node.ts')
