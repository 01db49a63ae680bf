import { parentPort } from 'node:worker_threads'
import { DocumentDesk } from './document-desk.js'
import type { DeskAnswers, DeskQuestion } from './open-desk.js'

const port = parentPort
if (port === null) throw new Error('key stores of megabytes are read in a thread')

const desk = new DocumentDesk()

const answer = (question: DeskQuestion): DeskAnswers[DeskQuestion['ask']] => {
  switch (question.ask) {
    case 'open':
      return desk.open(question.bytes)
    case 'change':
      return desk.change(question.change) ? desk.digest() : null
    case 'digest':
      return desk.digest()
    case 'write':
      return desk.write(question.seal)
    case 'page':
      return desk.page(question.from, question.most)
    default:
      return desk.pack()
  }
}

/** What is large is handed over as it is: nothing here is asked for twice. */
const listTransfers = ({ ask }: DeskQuestion, given: unknown): ArrayBuffer[] => {
  if (ask === 'write') return [(given as DeskAnswers['write']).buffer]
  if (ask !== 'pack') return []
  const { starts, levels, seeds } = given as DeskAnswers['pack']
  return [starts.buffer, levels.buffer, seeds.buffer]
}

port.on('message', (question: DeskQuestion) => {
  const given = answer(question)
  port.postMessage(given, listTransfers(question, given))
})
