import type { WriterVersions } from '../../engines/writer/writer-engine.js'
import { judgeProof, sum } from './judge-proof.js'
import type { PeakMemory } from './peak-memory.js'
import type { ProofResult } from './run-proof.js'

export interface Proof {
  at: Date
  versions: WriterVersions
  reader: string
  memory: PeakMemory
  results: readonly ProofResult[]
}

/** A page that a clinic can file. */
export function formatProof({ at, versions, reader, memory, results }: Proof): string {
  const verdict = judgeProof(results, versions.engine === 'extract')
  const rows = results.map((one) => toRow(one.name, one.about, [one]))
  return [
    '# Proof of the writer',
    '',
    `${at.toISOString()}; engine ${versions.engine}, model ${versions.model}, prompts ${versions.prompt}, reader ${reader}.`,
    '',
    verdict.isPassed ? 'Verdict: **passed**.' : `Verdict: **not passed**. ${verdict.problems.join(' ')}`,
    '',
    '| session | about | danger written or listed | facts | must not be | refused before repair | refused after repair | verified | words | seconds |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    toRow('all', '', results),
    '',
    'Refused before repair: of the sentences of the first draft. After repair: of those of the note; what is still refused about',
    'danger, medicines or numbers is left out of it, with the words quoted instead, and the rest is marked.',
    '',
    `Memory at its highest, ${memory.isWithChildren ? 'processes of reader and model included' : 'of this process alone'}: ${Math.round(memory.mb)} MB. Danger found by reader and model: ${sum(results, 'dangerFound')} of ${sum(results, 'danger')}.`,
    '',
    ...(versions.engine === 'extract'
      ? [
          'No language model is set up: the notes are quotes of what was said, and facts are not asked for in prose.',
          '',
        ]
      : []),
    'The sessions are invented and come with the service. A pass says that this engine, today, on these, lost nothing about',
    'danger and said nothing that must not be; it does not replace the clinician who reads and signs.',
    '',
  ].join('\n')
}

function toRow(name: string, about: string, results: readonly ProofResult[]): string {
  const total = (key: Parameters<typeof sum>[1]): number => sum(results, key)
  const cells = [
    name,
    about,
    `${total('dangerTold')} of ${total('danger')}`,
    `${total('factsWritten')} of ${total('facts')}`,
    total('forbidden'),
    `${total('refusedBeforeRepair')} of ${total('draftSentences')}`,
    `${total('refusedAfterRepair')} of ${total('sentences')}`,
    `${total('verified')} of ${total('sentences')}`,
    total('words'),
    total('seconds').toFixed(1),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The same page for a browser, to be printed or kept as PDF. */
export function toPrintPage(markdown: string): string {
  const escape = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const body = escape(markdown)
    .split('\n')
    .map((line) => {
      if (line.startsWith('# ')) return `<h1>${line.slice(2)}</h1>`
      if (/^\| ?---/.test(line)) return ''
      if (line.startsWith('|')) {
        const cells = line.slice(1, -1).split('|')
        return `<tr>${cells.map((cell) => `<td>${cell.trim()}</td>`).join('')}</tr>`
      }
      return line === '' ? '' : `<p>${line.replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')}</p>`
    })
    .join('\n')
    .replaceAll(/((?:<tr>.*<\/tr>\n+)+)/g, '<table>\n$1</table>\n')
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Proof of the writer</title>
<style>body{font:14px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td{border:1px solid #999;padding:.25rem .5rem;vertical-align:top}
tr:first-child td{font-weight:600}@media print{body{margin:0}}</style>
${body}
</html>
`
}
