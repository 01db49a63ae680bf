// npm run bench NAME: measures against a limit taken in the same run and prints the ratio. Nothing is asserted.
const benches = {
  api: './api.js',
  'audit-report': './audit-report.js',
  blobs: './blobs.js',
  live: './live.js',
  pipeline: './pipeline.js',
  webhooks: './webhooks.js',
  writer: './writer.js',
}
const name = process.argv[2]
if (!Object.hasOwn(benches, name)) {
  process.stderr.write(`Which one? ${Object.keys(benches).join(', ')}\n`)
  process.exit(1)
}
await (await import(benches[name])).run()
