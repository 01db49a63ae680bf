// Human speech with known words, out of Debian packages. Each is fetched once into a cache beside the temporary files;
// where that is not possible the set is skipped by name.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const cache = join(tmpdir(), 'casenote-eval-speech')

function fetchPackage(name) {
  const folder = join(cache, name)
  if (existsSync(join(folder, 'usr'))) return folder
  mkdirSync(folder, { recursive: true })
  execFileSync('apt-get', ['download', name], { cwd: folder, stdio: 'pipe' })
  const file = readdirSync(folder).find((entry) => entry.endsWith('.deb'))
  execFileSync('dpkg-deb', ['-x', join(folder, file), folder])
  return folder
}

/** Slips of the pen in the texts, which nobody says: counted as errors of whoever hears what was said. */
const slips = [
  ['Un-indentified or witheld', 'Unidentified or withheld'],
  ['represenatives', 'representatives'],
  ['umute', 'unmute'],
  ['a more a amiable', 'a more amiable'],
]

/** What is said, without directions such as "(simple tone sound plays)"; ten prompts are "(4 seconds of silence)". */
function readText(written) {
  let text = written.replaceAll(/\([^)]*\)/g, ' ')
  for (const [slip, right] of slips) text = text.replaceAll(slip, right)
  return text.trim()
}

/** Prompts of a telephone exchange, read by one woman, 16 kHz. `[…]` and `...` mark what is not said as written. */
function readPrompts() {
  const sounds = join(
    fetchPackage('asterisk-core-sounds-en-g722'),
    'usr/share/asterisk/sounds/en_US_f_Allison',
  )
  const texts = join(
    fetchPackage('asterisk-core-sounds-en'),
    'usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz',
  )
  return gunzipSync(readFileSync(texts))
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, written = ''] = /^([\w/-]+): (.+)$/.exec(line) ?? []
      const text = readText(written)
      const path = join(sounds, `${name}.g722`)
      const isUsable = name && !/[[\]*<>]/.test(text) && text.split(/\s+/).length >= 4 && existsSync(path)
      return isUsable ? [{ name, text, input: ['-f', 'g722', '-i', path] }] : []
    })
}

/** A novel read aloud, 16 kHz. */
function readNovel() {
  const folder = join(fetchPackage('pocketsphinx-testdata'), 'usr/share/pocketsphinx/test/data/librivox')
  return readFileSync(join(folder, 'transcription'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [, text, name] = /^<s> (.+) <\/s> \((.+)\)$/.exec(line)
      return { name, text: readText(text), input: ['-i', join(folder, `${name}.wav`)] }
    })
}

/** Prompts of a telephone exchange in another language, 16 kHz: what is said matters to nobody here. */
function readForeignPrompts(language) {
  const sounds = join(fetchPackage(`asterisk-core-sounds-${language}-g722`), 'usr/share/asterisk/sounds')
  const voice = readdirSync(sounds).find((name) => name.startsWith(`${language}_`))
  const folder = join(sounds, voice)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.g722') && statSync(join(folder, name)).size > foreignBytesMin)
    .map((name) => ({ name, text: '', input: ['-f', 'g722', '-i', join(folder, name)] }))
}

/** Two seconds: less is a number or a letter. */
const foreignBytesMin = 16_000

export const readHumanSets = () =>
  readSets([
    { name: 'telephone prompts (asterisk-core-sounds-en-g722)', read: readPrompts },
    { name: 'read novel (pocketsphinx-testdata)', read: readNovel },
  ])

export const readForeignSets = () =>
  readSets(
    ['es', 'fr', 'it', 'ru'].map((language) => ({
      name: `telephone prompts (asterisk-core-sounds-${language}-g722)`,
      read: () => readForeignPrompts(language),
    })),
  )

function readSets(known) {
  const sets = []
  for (const { name, read } of known) {
    try {
      sets.push({ name, utterances: read() })
    } catch (error) {
      process.stdout.write(
        `SKIPPED ${name}: its Debian package could not be fetched (${error.message.split('\n')[0]})\n`,
      )
    }
  }
  return sets
}
