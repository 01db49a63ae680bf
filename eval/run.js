// npm run eval NAME: measures quality on speech with known words or speakers. Prints what it finds; nothing is asserted.
const evals = { speech: './speech.js' }
const name = process.argv[2]
if (!Object.hasOwn(evals, name)) {
  process.stderr.write(`Which one? ${Object.keys(evals).join(', ')}\n`)
  process.exit(1)
}
await (await import(evals[name])).run(process.argv.slice(3))
