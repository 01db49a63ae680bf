import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isErrno } from '../errno.js'
import { replacePrivateFile, syncFolder } from '../private-file.js'
import { documentBytesMax, type KeyStore } from './key-store.js'

const keyStoreFile = 'key-store.json'

/** What a kill between writing and renaming leaves, keys and all. */
const strayPattern = /^key-store\.json\.[0-9a-f]{16}\.new$/

export function makeFolderKeyStore(folder: string): KeyStore {
  const path = join(folder, keyStoreFile)
  return {
    name: path,
    look: async () => {
      try {
        const { ino, size, mtimeNs } = await stat(path, { bigint: true })
        return `${ino}/${size}/${mtimeNs}`
      } catch (error) {
        // Whoever reads says what is wrong.
        if (isErrno(error, 'ENOENT')) return null
        throw error
      }
    },
    read: async () => {
      try {
        if ((await stat(path)).size > documentBytesMax)
          throw new Error(`${path} is too large to be a key store`)
        return await readFile(path)
      } catch (error) {
        if (isErrno(error, 'ENOENT')) return null
        throw error
      }
    },
    write: async (document) => {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      if (made !== undefined) await syncFolder(dirname(made))
      // Whoever writes has the lock: none of these is another's.
      for (const name of await readdir(folder))
        if (strayPattern.test(name)) await rm(join(folder, name), { force: true })
      await replacePrivateFile(path, document)
    },
  }
}
