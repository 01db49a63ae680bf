/** IndexedDB of the frame's origin. Browsers keep it apart for each site that embeds the widget. */
export interface Store {
  find<Row>(table: Table, key: IDBValidKey): Promise<Row | undefined>
  list<Row>(table: Table): Promise<Row[]>
  put(table: Table, row: object): Promise<void>
  remove(table: Table, keys: string[]): Promise<void>
  /** Each row becomes what `apply` gives, null: it goes. In one transaction: what another tab writes meanwhile is not written over. */
  sweep<Row extends object>(table: Table, apply: (row: Row) => Row | null): Promise<void>
  /** One transaction, on disk before it resolves; `work` may only use requests of that transaction. */
  write<Result>(tables: Table[], work: (tx: IDBTransaction) => Promise<Result>): Promise<Result>
  read<Result>(tables: Table[], work: (tx: IDBTransaction) => Promise<Result>): Promise<Result>
  /** A newer version of the frame waits in another tab until whoever listens lets go of what is kept. */
  onNewer(listen: (letGo: () => void) => void): void
}

export type Table = 'lineages' | 'recordings' | 'slices' | 'drafts'

/** `slices` are found by where their bytes start: an upload goes on from any offset. */
const tables: Record<Table, string | string[]> = {
  lineages: 'handle',
  recordings: 'recordingId',
  slices: ['recordingId', 'segment', 'start'],
  drafts: 'draftId',
}

/**
 * Null where the browser keeps nothing for frames of other sites. Says which tab is in the way: one with an earlier version of the
 * frame is waited for; after one with a newer version, which keeps things otherwise, this one does nothing more.
 */
export async function openStore(
  say: (which: 'olderTab' | 'newerTab') => void = () => {},
): Promise<Store | null> {
  try {
    return makeStore(await openDatabase(() => say('olderTab')))
  } catch (error) {
    // Blocked storage; the recorder says so, tokens stay in memory.
    if ((error as Error).name !== 'VersionError') return null
    say('newerTab')
    return new Promise(() => {})
  }
}

function openDatabase(onBlocked: () => void): Promise<IDBDatabase> {
  const opening = indexedDB.open('casenote-widget', 2)
  opening.addEventListener('blocked', onBlocked)
  opening.addEventListener('upgradeneeded', () => {
    const db = opening.result
    for (const [name, keyPath] of Object.entries(tables)) {
      if (!db.objectStoreNames.contains(name)) db.createObjectStore(name, { keyPath })
    }
  })
  return settled(opening)
}

export function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')))
  })
}

function makeStore(db: IDBDatabase): Store {
  let tell = (letGo: () => void): void => letGo()
  db.addEventListener('versionchange', () => tell(() => db.close()))
  async function run<Result>(
    mode: 'readonly' | 'readwrite',
    names: Table[],
    work: (tx: IDBTransaction) => Promise<Result>,
  ): Promise<Result> {
    // `strict`: the default lets the operating system decide, and a SIGKILL then cost the last seconds.
    const tx = db.transaction(names, mode, { durability: 'strict' })
    const ended = new Promise<void>((resolve, reject) => {
      tx.addEventListener('complete', () => resolve())
      tx.addEventListener('abort', () => reject(tx.error ?? new Error('IndexedDB aborted')))
    })
    // `work` may fail first; the transaction's own end must not be an unhandled rejection then.
    ended.catch(() => {})
    const result = await work(tx)
    await ended
    return result
  }
  return {
    find: (table, key) => run('readonly', [table], (tx) => settled(tx.objectStore(table).get(key))),
    list: (table) => run('readonly', [table], (tx) => settled(tx.objectStore(table).getAll())),
    put: (table, row) =>
      run('readwrite', [table], async (tx) => {
        tx.objectStore(table).put(row)
      }),
    remove: (table, keys) =>
      run('readwrite', [table], async (tx) => {
        for (const key of keys) tx.objectStore(table).delete(key)
      }),
    sweep: <Row extends object>(table: Table, apply: (row: Row) => Row | null) =>
      run('readwrite', [table], async (tx) => {
        const rows = tx.objectStore(table)
        for (const row of (await settled(rows.getAll())) as Row[]) {
          const next = apply(row)
          if (next === null) rows.delete(row[rows.keyPath as keyof Row] as IDBValidKey)
          else if (next !== row) rows.put(next)
        }
      }),
    write: (names, work) => run('readwrite', names, work),
    read: (names, work) => run('readonly', names, work),
    onNewer: (listen) => {
      tell = listen
    },
  }
}
