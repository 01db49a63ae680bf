import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { boundActs, FolderFault, type ActLimits } from '../bounded-acts.js'
import { isErrno } from '../errno.js'
import { replacePrivateFile, syncFolder } from '../private-file.js'
import { documentBytesMax, type KeyStore } from './key-store.js'

const keyStoreFile = 'key-store.json'

/** What a kill between writing and renaming leaves, keys and all. */
const strayPattern = /^key-store\.json\.[0-9a-f]{16}\.new$/

/** Megabytes on a busy disk take seconds; whoever changes the store has it locked meanwhile, twice. */
const usualLimits: ActLimits = { atOnceMost: 1, withinMs: 20_000 }

export function makeFolderKeyStore(folder: string, limits: ActLimits = usualLimits): KeyStore {
  const store = makeUnboundedStore(folder)
  const run = boundActs(limits, {
    noAnswer: () => new FolderFault('the folder of the key store does not answer'),
  })
  return {
    name: store.name,
    look: () => run(() => store.look()),
    read: () => run(() => store.read()),
    write: (document) => run((givenUp) => store.write(document, givenUp)),
  }
}

function makeUnboundedStore(folder: string) {
  const path = join(folder, keyStoreFile)
  return {
    name: path,
    look: async (): Promise<string | null> => {
      try {
        const { ino, size, mtimeNs } = await stat(path, { bigint: true })
        return `${ino}/${size}/${mtimeNs}`
      } catch (error) {
        // Whoever reads says what is wrong.
        if (isErrno(error, 'ENOENT')) return null
        throw error
      }
    },
    read: async (): Promise<Buffer | null> => {
      try {
        if ((await stat(path)).size > documentBytesMax)
          throw new Error(`${path} is too large to be a key store`)
        return await readFile(path)
      } catch (error) {
        if (isErrno(error, 'ENOENT')) return null
        throw error
      }
    },
    write: async (document: Buffer, givenUp: AbortSignal): Promise<void> => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      if (made !== undefined) await syncFolder(dirname(made))
      // Whoever writes has the lock: none of these is another's.
      for (const name of await readdir(folder))
        if (strayPattern.test(name)) await rm(join(folder, name), { force: true })
      await replacePrivateFile(path, document, givenUp)
    },
  }
}
