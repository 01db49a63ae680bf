import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMapped, takeUser } from '../../../src/engines/speech/audio/decoder/cage.js'
import { isCurrentRelease } from '../../../src/engines/speech/audio/decoder/find-native.js'
import { openDecoder, type OpenedDecoder } from '../../../src/engines/speech/audio/decoder/open-decoder.js'
import { probeRecording } from '../../../src/engines/speech/audio/probe-recording.js'
import { runFfmpeg, type FfmpegRun, type RunLimits } from '../../../src/engines/speech/audio/run-ffmpeg.js'
import { waitUntil } from '../../support/casenote-process.js'
import { decoder as commonDecoder, opens, readSample, wavHeader } from './speech-fixture.js'

const toSound = '-ac 1 -ar 16000 -f s16le pipe:1'.split(' ')
const usualLimits = { outputBytesMax: 1e9, wallMs: 60_000 }

let scratchFolder = ''
let decoder: OpenedDecoder
const pids: number[] = []
beforeAll(async () => {
  scratchFolder = mkdtempSync(join(tmpdir(), 'casenote-cage-'))
  decoder = await openWatched()
})
afterAll(() => {
  decoder.close()
  rmSync(scratchFolder, { recursive: true })
})

/** Tells which processes it starts. */
async function openWatched(shippedFiles?: string[]): Promise<OpenedDecoder> {
  const opened = await openDecoder({
    configuredPath: process.env['CASENOTE_TEST_FFMPEG'] ?? null,
    searchPath: '',
    scratchFolder,
    ...(shippedFiles === undefined ? {} : { shippedFiles }),
  })
  return {
    ...opened,
    start(...given) {
      const child = opened.start(...given)
      pids.push(child.pid ?? 0)
      return child
    },
  }
}

interface HeldRun extends FfmpegRun {
  pid: number
}

/** A run in the middle of a recording, of which the rest never comes. */
async function hold(limits: RunLimits = usualLimits): Promise<HeldRun> {
  const source = new PassThrough()
  const run = runFfmpeg(decoder, { kind: 'stream', open: () => source }, toSound, limits)
  run.stdout.on('error', () => undefined).resume()
  const pid = pids.at(-1) ?? 0
  source.write(Buffer.concat([wavHeader(50_000_000), Buffer.alloc(6_000_000, 'noise')]))
  await waitUntil(async () => run.readWords().includes('Output #0'), 'the decoder reads')
  return { ...run, pid }
}

async function withHeld(look: (run: HeldRun) => Promise<void> | void): Promise<void> {
  const run = await hold()
  try {
    await look(run)
  } finally {
    run.kill()
    await run.end
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const { cage } = commonDecoder
/** What this system does not allow is skipped by name, never passed. */
const named = (title: string, holds: boolean, missing: string): string =>
  holds ? title : `${title} (NOT ON THIS SYSTEM: ${missing})`

const isLinux = process.platform === 'linux'
const hasOwnUser = isLinux && cage.hasOwnUser
const hasNoNewPrivileges = isLinux && cage.hasNoNewPrivileges
const hasNoNetwork = isLinux && cage.hasNoNetwork
const hasLimits = isLinux && cage.hasLimits
const readProc = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'latin1')
const statusOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readProc(pid, 'status')
      .split('\n')
      .map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )

describe('the process that decodes, looked at while it does', () => {
  it.skipIf(!hasOwnUser)(
    named(
      'is of a user of its own, another one for each run, in no group',
      hasOwnUser,
      'this service may not change users',
    ),
    async () => {
      const seen: string[] = []
      for (let round = 0; round < 2; round += 1) {
        await withHeld(({ pid }) => {
          const { Uid = '', Gid = '', Groups } = statusOf(pid)
          const ids = new Set([...Uid.split(/\s+/), ...Gid.split(/\s+/)])
          expect(ids.size).toBe(1)
          expect(Groups).toBe('')
          seen.push([...ids][0] ?? '')
        })
      }
      expect(new Set([...seen, '0', String(process.getuid?.())]).size).toBeGreaterThanOrEqual(3)
      expect(seen[0]).not.toBe(seen[1])
    },
  )

  it.skipIf(!hasNoNewPrivileges)(
    named(
      'is never root, has no capability and can gain no privilege',
      hasNoNewPrivileges,
      'setpriv is not installed',
    ),
    () =>
      withHeld(({ pid }) => {
        const status = statusOf(pid)
        expect(status['Uid']?.split(/\s+/)).not.toContain('0')
        expect(status['NoNewPrivs']).toBe('1')
        for (const set of ['CapEff', 'CapPrm', 'CapInh', 'CapAmb']) expect(status[set]).toMatch(/^0{16}$/)
      }),
  )

  it.skipIf(!hasNoNetwork)(named('has no network', hasNoNetwork, 'the system allows no name space'), () =>
    withHeld(({ pid }) => {
      const interfaces = readProc(pid, 'net/dev')
        .split('\n')
        .flatMap((line) => /^ *(\w+):/.exec(line)?.[1] ?? [])
      expect(interfaces).toEqual(['lo'])
      expect(readProc(pid, 'net/route').trim().split('\n')).toHaveLength(1)
      expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'))
    }),
  )

  it.skipIf(!hasLimits)(named('is limited by the system', hasLimits, 'prlimit is not installed'), () =>
    withHeld(({ pid }) => {
      const limits = readProc(pid, 'limits')
      const hard = (name: string): string | undefined =>
        new RegExp(`^${name} +\\S+ +(\\S+)`, 'm').exec(limits)?.[1]
      expect({
        memory: hard('Max data size'),
        time: hard('Max cpu time'),
        written: hard('Max file size'),
        open: hard('Max open files'),
        core: hard('Max core file size'),
      }).toEqual({ memory: String(2 ** 30), time: '3600', written: '0', open: '64', core: '0' })
      if (cage.hasOwnUser) expect(hard('Max processes')).toBe('48')
    }),
  )

  it.skipIf(!isLinux)(
    named(
      'works in an empty folder of its own, with an empty environment, and holds nothing of ours open',
      isLinux,
      'there is no /proc',
    ),
    async () => {
      let folder = ''
      await withHeld(({ pid }) => {
        folder = readlinkSync(`/proc/${pid}/cwd`)
        expect(folder.startsWith(join(scratchFolder, 'decoder-'))).toBe(true)
        expect(readdirSync(folder)).toEqual([])
        expect(readProc(pid, 'environ')).toBe('')
        const files = readdirSync(`/proc/${pid}/fd`)
          .map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
          .filter((target) => target.startsWith('/') && !target.startsWith('/dev/'))
        const given = decoder.name === 'native' ? [] : ['ffmpeg-core.js', 'ffmpeg-core.wasm', 'node']
        for (const file of files) expect(given).toContain(file.split('/').at(-1))
      })
      await waitUntil(async () => readdirSync(scratchFolder).length === 0, 'the folder is removed')
    },
  )

  it.skipIf(commonDecoder.name === 'native' || !isLinux)('is denied every file by Node itself', () =>
    withHeld(({ pid }) => {
      const words = readProc(pid, 'cmdline').split('\0')
      expect(words.some((word) => /^--(experimental-)?permission$/.test(word))).toBe(true)
      expect(words.some((word) => word.startsWith('--allow'))).toBe(false)
    }),
  )
})

describe('a run that goes beyond what it may', () => {
  it('is ended at its deadline, whole', async () => {
    const source = new PassThrough()
    const limits = { outputBytesMax: 1e6, wallMs: 1_500 }
    const run = runFfmpeg(decoder, { kind: 'stream', open: () => source }, toSound, limits)
    run.stdout.resume()
    expect(await run.end).toBeNull()
    expect(isAlive(pids.at(-1) ?? 0)).toBe(false)
  })

  it('is ended when it writes more than its sound can be', async () => {
    const bytes = Buffer.concat([wavHeader(3_200_000), Buffer.alloc(3_200_000)])
    const limits = { outputBytesMax: 100_000, wallMs: 60_000 }
    const run = runFfmpeg(decoder, { kind: 'stream', open: opens(bytes) }, toSound, limits)
    const read = async () => {
      for await (const piece of run.stdout) expect((piece as Buffer).length).toBeLessThanOrEqual(100_000)
    }
    await expect(read()).rejects.toMatchObject({ code: 'damaged' })
    await run.end
    expect(isAlive(pids.at(-1) ?? 0)).toBe(false)
  })
})

it.skipIf(!hasNoNewPrivileges)(
  'a service that is killed leaves no decoder behind, whatever it is doing',
  async () => {
    const at = (file: string): string =>
      new URL(`../../../dist/engines/speech/audio/${file}`, import.meta.url).href
    // It decodes silence without end, and reads nothing.
    const service = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { openDecoder } from '${at('decoder/open-decoder.js')}'
      const decoder = await openDecoder(JSON.parse(process.argv[1]))
      const child = decoder.start(['-nostats', '-v', 'quiet', '-f', 'lavfi', '-i', 'anullsrc', '-f', 'null', '-'], 'pipe')
      process.stdout.write(String(child.pid) + '\\n')
      setInterval(() => {}, 1000)`,
        '--',
        JSON.stringify({ configuredPath: null, searchPath: '', scratchFolder }),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [line] = (await once(service.stdout, 'data')) as [Buffer]
    const pid = Number(String(line))
    const program = (): string => readProc(pid, 'cmdline').split('\0')[0] ?? ''
    // One program that becomes the next has no name for a moment.
    await waitUntil(async () => !/^$|prlimit|unshare|setpriv/.test(program()), 'the decoder runs')
    service.kill('SIGKILL')
    // Where nobody waits for orphans it stays listed as a zombie.
    await waitUntil(
      async () => !isAlive(pid) || statusOf(pid)['State']?.startsWith('Z') === true,
      'the decoder has ended',
    )
    rmSync(scratchFolder, { recursive: true })
    mkdirSync(scratchFolder)
  },
)

describe('a decoder whose files are not the recorded ones', () => {
  it.each([0, 1])('decodes nothing (file %i)', async (altered) => {
    const require = createRequire(import.meta.url)
    const folder = mkdtempSync(join(tmpdir(), 'casenote-altered-'))
    const files = ['@ffmpeg/core', '@ffmpeg/core/wasm'].map((name, index) => {
      const file = join(folder, String(index))
      copyFileSync(require.resolve(name), file)
      return file
    })
    const bytes = readFileSync(files[altered] ?? '')
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1
    writeFileSync(files[altered] ?? '', bytes)
    const other = await openDecoder({
      configuredPath: null,
      searchPath: '',
      scratchFolder,
      shippedFiles: files,
    })
    try {
      const input = { kind: 'stream', open: opens(readSample('go-forward.ogg')) } as const
      await expect(probeRecording(other, input, new AbortController().signal)).rejects.toMatchObject({
        name: 'EngineFault',
        kind: 'refused',
      })
    } finally {
      other.close()
      rmSync(folder, { recursive: true })
    }
  })
})

it('folders that a killed service left are removed a day later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'casenote-left-'))
  for (const name of ['decoder-left', 'casenote-audio-left', 'decoder-used', 'else'])
    mkdirSync(join(folder, name))
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
  for (const name of ['decoder-left', 'casenote-audio-left', 'else'])
    utimesSync(join(folder, name), twoDaysAgo, twoDaysAgo)
  const other = await openDecoder({ configuredPath: null, searchPath: '', scratchFolder: folder })
  other.close()
  expect(readdirSync(folder).toSorted()).toEqual(['decoder-used', 'else'])
  rmSync(folder, { recursive: true })
})

it.each([
  ['5.1.9-0+deb12u1', true],
  ['n7.0-7-gd38bf5e08e-20240407', true],
  ['8.0', true],
  ['4.4.2-0ubuntu0.22.04.1', false],
  ['5.0.3', false],
  ['N-113007-g8d24a28d06', false],
  ['git-2019-01-01', false],
])('an ffmpeg of the system is taken unasked if it is current: %s', (version, isTaken) => {
  expect(isCurrentRelease(version)).toBe(isTaken)
})

it('no two runs of a process have the same user at once', () => {
  const few = { first: 2_000_000_000, count: 3 }
  const taken = [takeUser(few), takeUser(few), takeUser(few)]
  expect(new Set(taken)).toEqual(new Set([2_000_000_000, 2_000_000_001, 2_000_000_002]))
  expect(() => takeUser(few)).toThrow('in use')
})

it('users of runs are taken from those that a container has', () => {
  const high = { first: 0x7000_0000, count: 1000 }
  expect(isMapped('         0          0 4294967295\n', high)).toBe(true)
  expect(isMapped('         0     100000      65536\n', high)).toBe(false)
  expect(isMapped('         0     100000      65536\n', { first: 60_578, count: 606 })).toBe(true)
  expect(isMapped('0 1000 1\n', { first: 60_578, count: 606 })).toBe(false)
})
