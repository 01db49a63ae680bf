export interface TermCorrection {
  heard: string
  corrected: string
}

const values: Record<string, string> = {
  two: '2',
  five: '5',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  fifteen: '15',
}

/** Letters and number of the instruments that are named by both; a recognizer writes "Ph.Q. 9" or "G A D seven". */
const instruments: readonly (readonly [letters: string, numbers: readonly string[]])[] = [
  ['PHQ', ['2', '8', '9', '15']],
  ['GAD', ['2', '7']],
  ['PCL', ['5']],
  ['DAST', ['10']],
  ['WHO', ['5']],
]

const pattern = new RegExp(
  instruments
    .map(([letters]) => `(?<![\\w.])(?<${letters}>${letters.split('').join('[.\\s]{0,2}')})\\.?[\\s-]{0,2}`)
    .map((name) => `${name}(?:\\d{1,2}|${Object.keys(values).join('|')})(?![\\w.]{0,20}\\d)\\b`)
    .join('|'),
  'gi',
)

/** Only the way a name is written changes; the number in it stays, and a word with another number is left alone. */
export function correctInstruments(text: string, corrections: TermCorrection[]): string {
  return text.replaceAll(pattern, (heard: string) => {
    const number = /(\d{1,2}|[a-z]{1,8})$/i.exec(heard)![1]!.toLowerCase()
    const value = values[number] ?? number
    const letters = heard.slice(0, heard.length - number.length).replaceAll(/[^a-z]/gi, '')
    const known = instruments.find(
      ([name, numbers]) => name === letters.toUpperCase() && numbers.includes(value),
    )
    // "Who five" is English: only capitals are a name.
    if (known === undefined || (letters !== letters.toUpperCase() && known[0] === 'WHO')) return heard
    const corrected = `${known[0]}-${value}`
    if (corrected !== heard) corrections.push({ heard, corrected })
    return corrected
  })
}
