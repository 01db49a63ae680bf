// Stands for a Casenote process that a test can kill. Speaks JSON lines; stops in order when its stdin ends.
import { once } from 'node:events'
import { lockDataFolder, startEmbeddedPostgres } from '../../dist/main/embedded-postgres/index.js'

const dataDir = process.argv[2]
const log = { info: () => undefined, warn: () => undefined }
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

try {
  const lock = await lockDataFolder(dataDir, { command: 'lock-data-folder', url: 'http://localhost:8080' })
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  say({ postmasterPid: postgres.pid() })
  await once(process.stdin.resume(), 'end')
  await postgres.stop()
  await lock.release()
} catch (error) {
  say({ refusal: error.name, text: error.message, holderPid: error.pid })
  process.exitCode = 1
}
