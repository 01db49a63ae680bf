import type pg from 'pg'

/** Seeded, so that a miss can be repeated (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes * 2 }, () => this.below(16).toString(16)).join('')
  }

  id(): string {
    const hex = this.hex(16)
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}

export interface StoredEntry {
  writerId: string
  seq: number
  keyVersion: number
  subjects: string[]
  body: string
  hash: string
}

export interface StoredCheckpoint {
  number: number
  keyVersion: number
  body: string
  signature: string
}

/** What an intruder can see of one tenant. */
export interface TenantLog {
  tenantId: string
  entries: StoredEntry[]
  checkpoints: StoredCheckpoint[]
}

export async function readTenantLog(intruder: pg.Client, tenantId: string): Promise<TenantLog> {
  const entries = await intruder.query<StoredEntry>(
    `select writer_id as "writerId", seq::int, key_version as "keyVersion", subject_ids::text[] as subjects, body, encode(hash, 'hex') as hash
      from casenote.audit_entries where tenant_id = $1 order by writer_id, seq`,
    [tenantId],
  )
  const checkpoints = await intruder.query<StoredCheckpoint>(
    `select number::int, key_version as "keyVersion", body, encode(signature, 'hex') as signature
      from casenote.audit_checkpoints where tenant_id = $1 order by number`,
    [tenantId],
  )
  return { tenantId, entries: entries.rows, checkpoints: checkpoints.rows }
}

/** Where each chain stood at checkpoint `number`. */
export function headsAt(
  { checkpoints }: TenantLog,
  number: number,
): Map<string, { seq: number; hash: string }> {
  const heads = new Map<string, { seq: number; hash: string }>()
  for (const checkpoint of checkpoints.slice(0, number)) {
    const body = JSON.parse(checkpoint.body) as { heads: [string, number, string][] }
    for (const [writerId, seq, hash] of body.heads) heads.set(writerId, { seq, hash })
  }
  return heads
}

type Step = [text: string, values: unknown[]]
type Tampering = (log: TenantLog, random: Random, other: TenantLog) => Step[]

function chainsOf({ entries }: TenantLog): Map<string, StoredEntry[]> {
  const chains = new Map<string, StoredEntry[]>()
  for (const entry of entries) chains.set(entry.writerId, [...(chains.get(entry.writerId) ?? []), entry])
  return chains
}
const pickChain = (log: TenantLog, random: Random): StoredEntry[] => random.pick([...chainsOf(log).values()])
const lastOf = <T>(list: readonly T[]): T => list.at(-1) as T

function pickTwo<T>(from: readonly T[], random: Random): [T, T] {
  const first = random.below(from.length)
  const second = (first + 1 + random.below(from.length - 1)) % from.length
  return [from[first] as T, from[second] as T]
}

/** Another text of the same kind: one character changed, one added, or one removed. */
function bend(text: string, random: Random): string {
  const at = random.below(text.length)
  const other = text[at] === '1' ? '2' : '1'
  return random.pick([
    text.slice(0, at) + other + text.slice(at + 1),
    text.slice(0, at) + other + text.slice(at),
    text.slice(0, at) + text.slice(at + 1),
  ])
}

function bendHex(hex: string, random: Random): string {
  const at = random.below(hex.length)
  return hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1)
}

const setEntry = (log: TenantLog, { writerId, seq }: StoredEntry, set: string, value: unknown): Step => [
  `update casenote.audit_entries set ${set} where tenant_id = $1 and writer_id = $2 and seq = $3`,
  [log.tenantId, writerId, seq, value],
]

const setHead = (log: TenantLog, writerId: string, seq: number, hash: string, isCovered: boolean): Step => [
  `update casenote.audit_heads set seq = $3, hash = decode($4, 'hex'), is_covered = $5
    where tenant_id = $1 and writer_id = $2`,
  [log.tenantId, writerId, seq, hash, isCovered],
]

const insertEntry = (tenantId: string, entry: StoredEntry): Step => [
  `insert into casenote.audit_entries (tenant_id, writer_id, seq, key_version, subject_ids, body, hash)
    values ($1, $2, $3, $7, $4::uuid[], $5, decode($6, 'hex'))`,
  [tenantId, entry.writerId, entry.seq, entry.subjects, entry.body, entry.hash, entry.keyVersion],
]

const deleteEntries = ({ tenantId }: TenantLog, writerId: string, from: number, to: number): Step => [
  'delete from casenote.audit_entries where tenant_id = $1 and writer_id = $2 and seq between $3 and $4',
  [tenantId, writerId, from, to],
]

/** In two steps over a range that is free, because the primary key is checked row by row. */
const shiftEntries = ({ tenantId }: TenantLog, writerId: string, from: number, by: number): Step[] => [
  [
    `update casenote.audit_entries set seq = seq + 1000000 + $4
      where tenant_id = $1 and writer_id = $2 and seq >= $3`,
    [tenantId, writerId, from, by],
  ],
  [
    'update casenote.audit_entries set seq = seq - 1000000 where tenant_id = $1 and writer_id = $2 and seq > 1000000',
    [tenantId, writerId],
  ],
]

const setCheckpoint = (log: TenantLog, { number }: StoredCheckpoint, set: string, value: unknown): Step => [
  `update casenote.audit_checkpoints set ${set} where tenant_id = $1 and number = $2`,
  [log.tenantId, number, value],
]

const insertCheckpoint = (tenantId: string, checkpoint: StoredCheckpoint): Step => [
  `insert into casenote.audit_checkpoints (tenant_id, number, key_version, body, signature)
    values ($1, $2, $3, $4, decode($5, 'hex'))`,
  [tenantId, checkpoint.number, checkpoint.keyVersion, checkpoint.body, checkpoint.signature],
]

/** Everything back to what it was at a checkpoint, as if nothing had been written since. */
function cutTo(log: TenantLog, number: number): Step[] {
  const heads = headsAt(log, number)
  return [
    ['delete from casenote.audit_checkpoints where tenant_id = $1 and number > $2', [log.tenantId, number]],
    ...[...chainsOf(log).keys()].flatMap((writerId): Step[] => {
      const head = heads.get(writerId)
      const cut = deleteEntries(log, writerId, (head?.seq ?? 0) + 1, 1_000_000)
      if (head !== undefined) return [cut, setHead(log, writerId, head.seq, head.hash, true)]
      return [
        cut,
        [
          'delete from casenote.audit_heads where tenant_id = $1 and writer_id = $2',
          [log.tenantId, writerId],
        ],
      ]
    }),
  ]
}

const entryTamperings: Record<string, Tampering> = {
  'changes a body': (log, random) => {
    const entry = random.pick(log.entries)
    return [setEntry(log, entry, 'body = $4', bend(entry.body, random))]
  },
  'names another operation': (log, random) => {
    const entry = random.pick(log.entries)
    const body = JSON.stringify({ ...(JSON.parse(entry.body) as object), operation: 'client.list' })
    return [setEntry(log, entry, 'body = $4', body)]
  },
  'adds a subject': (log, random) => [
    setEntry(log, random.pick(log.entries), 'subject_ids = subject_ids || $4::uuid', random.id()),
  ],
  'removes the subjects': (log, random) => {
    const entry = random.pick(log.entries.filter(({ subjects }) => subjects.length > 0))
    return [setEntry(log, entry, 'subject_ids = $4', '{}')]
  },
  'replaces a subject': (log, random) => {
    const entry = random.pick(log.entries.filter(({ subjects }) => subjects.length > 0))
    return [setEntry(log, entry, 'subject_ids[1] = $4', random.id())]
  },
  'blanks a subject': (log, random) => {
    const entry = random.pick(log.entries.filter(({ subjects }) => subjects.length > 0))
    return [setEntry(log, entry, 'subject_ids[1] = $4', null)]
  },
  'puts the subjects into another order': (log, random) => {
    const entry = random.pick(log.entries.filter(({ subjects }) => subjects.length > 1))
    return [setEntry(log, entry, 'subject_ids = $4', entry.subjects.toReversed())]
  },
  'changes a hash': (log, random) => {
    const entry = random.pick(log.entries)
    return [setEntry(log, entry, "hash = decode($4, 'hex')", bendHex(entry.hash, random))]
  },
  'names another key version': (log, random) => {
    const entry = random.pick(log.entries)
    return [setEntry(log, entry, 'key_version = $4', 3 - entry.keyVersion)]
  },
  'names an unknown key version': (log, random) => [
    setEntry(log, random.pick(log.entries), 'key_version = $4', random.pick([-1, 0, 3, 99])),
  ],
  'gives an entry another number': (log, random) => [
    setEntry(log, random.pick(log.entries), 'seq = seq + $4', 1_000 + random.below(1_000)),
  ],
  'moves an entry to the end of another chain': (log, random) => {
    const [from, to] = pickTwo([...chainsOf(log).values()], random)
    const { writerId, seq } = lastOf(to)
    const entry = random.pick(from)
    return [
      [
        `update casenote.audit_entries set writer_id = $4, seq = $5
          where tenant_id = $1 and writer_id = $2 and seq = $3`,
        [log.tenantId, entry.writerId, entry.seq, writerId, seq + 1],
      ],
    ]
  },
  'moves an entry to a new chain': (log, random) => [
    setEntry(log, random.pick(log.entries), 'writer_id = $4', random.id()),
  ],
  'moves an entry to another tenant, in place of theirs': (log, random, other) => {
    const entry = random.pick(log.entries)
    return [
      deleteEntries(other, entry.writerId, entry.seq, entry.seq),
      setEntry(log, entry, 'tenant_id = $4', other.tenantId),
    ]
  },
  'deletes an entry': (log, random) => {
    const { writerId, seq } = random.pick(log.entries)
    return [deleteEntries(log, writerId, seq, seq)]
  },
  'deletes some entries in a row': (log, random) => {
    const { writerId, seq } = random.pick(log.entries)
    return [deleteEntries(log, writerId, seq, seq + random.below(5))]
  },
  'deletes the start of a chain': (log, random) => {
    const chain = pickChain(log, random)
    const { writerId, seq } = random.pick(chain)
    return [deleteEntries(log, writerId, 1, seq)]
  },
  'exchanges two bodies': (log, random) => {
    const [one, two] = pickTwo(log.entries, random)
    return [setEntry(log, one, 'body = $4', two.body), setEntry(log, two, 'body = $4', one.body)]
  },
  'exchanges two entries': (log, random) => {
    const [one, two] = pickTwo(log.entries, random)
    const place = (from: StoredEntry, writerId: string, seq: number): Step => [
      `update casenote.audit_entries set writer_id = $4, seq = $5
        where tenant_id = $1 and writer_id = $2 and seq = $3`,
      [log.tenantId, from.writerId, from.seq, writerId, seq],
    ]
    const aside = { ...one, seq: 1_000_000 }
    return [
      place(one, one.writerId, aside.seq),
      place(two, one.writerId, one.seq),
      place(aside, two.writerId, two.seq),
    ]
  },
  'exchanges two entries between tenants': (log, random, other) => {
    const [one, two] = [random.pick(log.entries), random.pick(other.entries)]
    const set = "body = $4::json->>'body', hash = decode($4::json->>'hash', 'hex')"
    return [setEntry(log, one, set, JSON.stringify(two)), setEntry(other, two, set, JSON.stringify(one))]
  },
  'appends a forged entry and moves the head': (log, random) => {
    const last = lastOf(pickChain(log, random))
    const forged = {
      ...random.pick(log.entries),
      writerId: last.writerId,
      seq: last.seq + 1,
      hash: random.hex(32),
    }
    return [insertEntry(log.tenantId, forged), setHead(log, forged.writerId, forged.seq, forged.hash, false)]
  },
  'repeats the last entry and moves the head': (log, random) => {
    const last = lastOf(pickChain(log, random))
    return [
      insertEntry(log.tenantId, { ...last, seq: last.seq + 1 }),
      setHead(log, last.writerId, last.seq + 1, last.hash, false),
    ]
  },
  'copies a chain under a new name': (log, random) => {
    const chain = pickChain(log, random)
    const writerId = random.id()
    return [
      ...chain.map((entry) => insertEntry(log.tenantId, { ...entry, writerId })),
      [
        `insert into casenote.audit_heads (tenant_id, writer_id, seq, hash, is_covered)
          values ($1, $2, $3, decode($4, 'hex'), false)`,
        [log.tenantId, writerId, lastOf(chain).seq, lastOf(chain).hash],
      ],
    ]
  },
  'squeezes an entry in and renumbers': (log, random) => {
    const chain = pickChain(log, random)
    const { writerId, seq } = random.pick(chain)
    const { hash } = lastOf(chain)
    return [
      ...shiftEntries(log, writerId, seq, 1),
      insertEntry(log.tenantId, { ...random.pick(log.entries), writerId, seq }),
      setHead(log, writerId, lastOf(chain).seq + 1, hash, false),
    ]
  },
  'takes an entry out and renumbers': (log, random) => {
    const chain = pickChain(log, random)
    const { writerId, seq } = random.pick(chain.slice(0, -1))
    return [
      deleteEntries(log, writerId, seq, seq),
      ...shiftEntries(log, writerId, seq + 1, -1),
      setHead(log, writerId, lastOf(chain).seq - 1, lastOf(chain).hash, false),
    ]
  },
  'cuts the end of a chain off': (log, random) => {
    const { writerId, seq } = random.pick(pickChain(log, random))
    return [deleteEntries(log, writerId, seq, 1_000_000)]
  },
  'cuts off what a checkpoint names and moves the head back': (log, random) => {
    const [writerId, { seq }] = random.pick([...headsAt(log, log.checkpoints.length)])
    const kept = random.below(seq - 1) + 1
    const { hash } = log.entries.find(
      (entry) => entry.writerId === writerId && entry.seq === kept,
    ) as StoredEntry
    return [
      deleteEntries(log, writerId, kept + 1, 1_000_000),
      setHead(log, writerId, kept, hash, random.pick([true, false])),
    ]
  },
  'removes the entries of a chain': (log, random) => [
    deleteEntries(log, random.pick(log.entries).writerId, 1, 1_000_000),
  ],
  'removes a chain with its head': (log, random) => {
    const { writerId } = random.pick(log.entries)
    return [
      deleteEntries(log, writerId, 1, 1_000_000),
      ['delete from casenote.audit_heads where tenant_id = $1 and writer_id = $2', [log.tenantId, writerId]],
    ]
  },
  'renames a chain with its head': (log, random) => {
    const { writerId } = random.pick(log.entries)
    const values = [log.tenantId, writerId, random.id()]
    return ['entries', 'heads'].map((table): Step => [
      `update casenote.audit_${table} set writer_id = $3 where tenant_id = $1 and writer_id = $2`,
      values,
    ])
  },
}

const pickWriter = (log: TenantLog, random: Random): string => random.pick([...chainsOf(log).keys()])
const changeHead = (log: TenantLog, random: Random, set: string, value: unknown): Step => [
  `update casenote.audit_heads set ${set} where tenant_id = $1 and writer_id = $2`,
  [log.tenantId, pickWriter(log, random), value],
]

const headTamperings: Record<string, Tampering> = {
  'moves a head': (log, random) => [changeHead(log, random, 'seq = seq + $3', random.pick([-1, 1, 100]))],
  'changes the hash of a head': (log, random) => [
    changeHead(log, random, "hash = decode($3, 'hex')", random.hex(32)),
  ],
  'turns the mark of a head': (log, random) => [
    changeHead(log, random, 'is_covered = not is_covered and $3', true),
  ],
  'renames a head': (log, random) => [changeHead(log, random, 'writer_id = $3', random.id())],
  'gives a head to another tenant, in place of theirs': (log, random, other) => {
    const writerId = pickWriter(log, random)
    return [
      [
        'delete from casenote.audit_heads where tenant_id = $1 and writer_id = $2',
        [other.tenantId, writerId],
      ],
      [
        'update casenote.audit_heads set tenant_id = $3 where tenant_id = $1 and writer_id = $2',
        [log.tenantId, writerId, other.tenantId],
      ],
    ]
  },
  'deletes a head': (log, random) => [
    [
      'delete from casenote.audit_heads where tenant_id = $1 and writer_id = $2',
      [log.tenantId, pickWriter(log, random)],
    ],
  ],
  'invents a head': (log, random) => [
    [
      `insert into casenote.audit_heads (tenant_id, writer_id, seq, hash, is_covered)
        values ($1, $2, $3, decode($4, 'hex'), $5)`,
      [log.tenantId, random.id(), random.below(5), random.hex(32), random.pick([true, false])],
    ],
  ],
}

const checkpointTamperings: Record<string, Tampering> = {
  'changes a checkpoint': (log, random) => {
    const checkpoint = random.pick(log.checkpoints)
    return [setCheckpoint(log, checkpoint, 'body = $3', bend(checkpoint.body, random))]
  },
  'makes a checkpoint forget a head': (log, random) => {
    const checkpoint = random.pick(log.checkpoints)
    const body = JSON.parse(checkpoint.body) as { heads: unknown[] }
    const bent = JSON.stringify({ ...body, heads: body.heads.slice(1) })
    return [setCheckpoint(log, checkpoint, 'body = $3', bent)]
  },
  'changes a signature': (log, random) => {
    const checkpoint = random.pick(log.checkpoints)
    return [
      setCheckpoint(log, checkpoint, "signature = decode($3, 'hex')", bendHex(checkpoint.signature, random)),
    ]
  },
  'names another key version in a checkpoint': (log, random) => {
    const checkpoint = random.pick(log.checkpoints)
    return [setCheckpoint(log, checkpoint, 'key_version = $3', 3 - checkpoint.keyVersion)]
  },
  'names an unknown key version in a checkpoint': (log, random) => [
    setCheckpoint(log, random.pick(log.checkpoints), 'key_version = $3', random.pick([-1, 0, 3, 99])),
  ],
  'gives a checkpoint another number': (log, random) => [
    setCheckpoint(log, random.pick(log.checkpoints), 'number = number + $3', 100 + random.below(100)),
  ],
  'deletes a checkpoint': (log, random) => [
    [
      'delete from casenote.audit_checkpoints where tenant_id = $1 and number = $2',
      [log.tenantId, random.pick(log.checkpoints).number],
    ],
  ],
  'takes a checkpoint out and renumbers': (log, random) => {
    const { number } = random.pick(log.checkpoints.slice(0, -1))
    return [
      ['delete from casenote.audit_checkpoints where tenant_id = $1 and number = $2', [log.tenantId, number]],
      ...[1_000_000, -1_000_001].map((by): Step => [
        'update casenote.audit_checkpoints set number = number + $3 where tenant_id = $1 and number > $2',
        [log.tenantId, number, by],
      ]),
    ]
  },
  'deletes the newest checkpoints': (log, random) => [
    [
      'delete from casenote.audit_checkpoints where tenant_id = $1 and number > $2',
      [log.tenantId, random.below(log.checkpoints.length)],
    ],
  ],
  'exchanges two checkpoints': (log, random) => {
    const [one, two] = pickTwo(log.checkpoints, random)
    const aside = { ...one, number: 1_000_000 }
    return [
      setCheckpoint(log, one, 'number = $3', aside.number),
      setCheckpoint(log, two, 'number = $3', one.number),
      setCheckpoint(log, aside, 'number = $3', two.number),
    ]
  },
  'puts another tenant’s checkpoint in place': (log, random, other) => {
    const checkpoint = random.pick(log.checkpoints)
    const theirs = other.checkpoints[checkpoint.number - 1] as StoredCheckpoint
    return [
      setCheckpoint(log, checkpoint, 'body = $3', theirs.body),
      setCheckpoint(log, checkpoint, "signature = decode($3, 'hex')", theirs.signature),
    ]
  },
  'appends a forged checkpoint': (log, random) => {
    const last = lastOf(log.checkpoints)
    const number = last.number + 1
    const body = JSON.stringify({ ...(JSON.parse(last.body) as object), number, previous: last.signature })
    return [insertCheckpoint(log.tenantId, { ...last, number, body, signature: random.hex(32) })]
  },
  'repeats an old checkpoint as the newest': (log, random) => [
    insertCheckpoint(log.tenantId, { ...random.pick(log.checkpoints), number: log.checkpoints.length + 1 }),
  ],
}

/** Each leaves a log that is sound in itself: only the anchor outside the database shows it. */
const anchoredTamperings: Record<string, Tampering> = {
  'cuts entries, heads and checkpoints back together': (log, random) =>
    cutTo(log, random.below(log.checkpoints.length)),
  'wipes a tenant’s log': (log) => cutTo(log, 0),
  'leaves one entry of a wiped log': (log, random) => {
    const { writerId } = random.pick(log.entries)
    const first = log.entries.find((entry) => entry.writerId === writerId && entry.seq === 1) as StoredEntry
    return [
      ...cutTo(log, 0),
      insertEntry(log.tenantId, first),
      [
        `insert into casenote.audit_heads (tenant_id, writer_id, seq, hash, is_covered)
          values ($1, $2, 1, decode($3, 'hex'), false)`,
        [log.tenantId, writerId, first.hash],
      ],
    ]
  },
  'deletes the newest checkpoints and turns the marks': (log, random) => {
    const number = random.below(log.checkpoints.length)
    const kept = headsAt(log, number)
    const named = headsAt(log, log.checkpoints.length)
    const unnamed = [...named].filter(([writerId, { seq }]) => kept.get(writerId)?.seq !== seq)
    return [
      ['delete from casenote.audit_checkpoints where tenant_id = $1 and number > $2', [log.tenantId, number]],
      [
        'update casenote.audit_heads set is_covered = false where tenant_id = $1 and writer_id = any($2)',
        [log.tenantId, unnamed.map(([writerId]) => writerId)],
      ],
    ]
  },
}

export const TAMPERINGS: readonly { name: string; plan: Tampering }[] = Object.entries({
  ...entryTamperings,
  ...headTamperings,
  ...checkpointTamperings,
  ...anchoredTamperings,
}).map(([name, plan]) => ({ name, plan }))
