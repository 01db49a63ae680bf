import { BlobMissing, makeS3Store, type BlobStore, type S3Options } from '../blobs/index.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { makeCommandKeyStore } from './command-key-store.js'
import { makeFolderKeyStore } from './folder-key-store.js'
import { documentBytesMax, type KeyStore } from './key-store.js'

/** Null: none is configured. What is asked of a bucket is signed by this clock. */
export function openKeyStore(
  { keyStore, s3 }: Pick<Config, 'keyStore' | 's3'>,
  clock: Clock,
): KeyStore | null {
  if (keyStore === null) return null
  switch (keyStore.kind) {
    case 'folder':
      return makeFolderKeyStore(keyStore.path)
    case 'command':
      return makeCommandKeyStore(keyStore)
    default:
      if (s3 === null) throw new Error('CASENOTE_KEY_STORE names a bucket: that needs CASENOTE_BLOB_STORE=s3')
      return makeBucketKeyStore({ ...s3, bucket: keyStore.bucket, nowMs: () => clock.nowMs() })
  }
}

/** Asks for the first page of what is in it. */
const requireBucket = async (store: BlobStore): Promise<void> =>
  void (await store.list()[Symbol.asyncIterator]().next())

const zeros = '00000000-0000-0000-0000-000000000000'

/** A name as a recording's part has one: the store takes no other. */
const objectName = `${zeros}/${zeros}/1-0000000000000000`

function makeBucketKeyStore(options: Omit<S3Options, 'prefix'>): KeyStore {
  const withStore = async <T>(work: (store: BlobStore) => Promise<T>): Promise<T> => {
    const store = makeS3Store({ ...options, prefix: 'casenote-key-store' })
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  return {
    name: `bucket ${options.bucket}`,
    // A list tells seconds, in which it may be written twice.
    look: async () => null,
    read: () =>
      withStore(async (store) => {
        try {
          const document = await store.get(objectName)
          if (document.length > documentBytesMax)
            throw new Error(`what lies in bucket ${options.bucket} is too large to be a key store`)
          return document
        } catch (error) {
          if (!(error instanceof BlobMissing)) throw error
          // A bucket that is not there looks the same: whoever takes it for an empty one would make another store.
          await requireBucket(store)
          return null
        }
      }),
    write: (document) => withStore((store) => store.put(objectName, document)),
  }
}
