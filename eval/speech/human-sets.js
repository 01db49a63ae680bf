// Human speech with known words, out of Debian packages. Each is fetched once into a cache beside the temporary files;
// where that is not possible the set is skipped by name.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
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
      const [, name, text] = /^([\w/-]+): (.+)$/.exec(line) ?? []
      const path = join(sounds, `${name}.g722`)
      const isUsable = name && !/[[\]*<>]/.test(text) && text.split(' ').length >= 4 && existsSync(path)
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
      return { name, text, input: ['-i', join(folder, `${name}.wav`)] }
    })
}

export function readHumanSets() {
  const sets = []
  for (const [name, read] of [
    ['telephone prompts (asterisk-core-sounds-en-g722)', readPrompts],
    ['read novel (pocketsphinx-testdata)', readNovel],
  ]) {
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
