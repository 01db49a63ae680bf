import { readFileSync } from 'node:fs'
import { CrisisHelp } from '@casenote/contract'
import { Value } from 'typebox/value'

/**
 * 988 Suicide & Crisis Lifeline: call or text, day and night, in English and Spanish; who calls presses 2 for Spanish, who
 * writes sends AYUDA (988lifeline.org, "What to expect"). 911 is the emergency number.
 */
const unitedStates: CrisisHelp = {
  languages: {
    en: {
      title: 'You do not have to go through this alone',
      text:
        'If you are thinking about hurting yourself, or everything is too much, people are there for you right now: free, ' +
        'confidential, day and night. Your care team does not see your answers right away.',
      contacts: [
        { label: 'Call 988', href: 'tel:988', note: 'Suicide & Crisis Lifeline' },
        { label: 'Text 988', href: 'sms:988', note: 'if you would rather write' },
        { label: 'Call 911', href: 'tel:911', note: 'if you are in danger now' },
      ],
    },
    es: {
      title: 'No tiene que pasar por esto a solas',
      text:
        'Si está pensando en hacerse daño, o si todo le resulta demasiado, hay personas dispuestas a ayudarle ahora mismo: ' +
        'gratis, de forma confidencial, de día y de noche. Su equipo de atención no ve sus respuestas de inmediato.',
      contacts: [
        {
          label: 'Llame al 988',
          href: 'tel:988',
          note: 'Línea 988 de Prevención del Suicidio y Crisis; oprima 2 para español',
        },
        { label: 'Escriba al 988', href: 'sms:988', note: 'envíe AYUDA para recibir atención en español' },
        { label: 'Llame al 911', href: 'tel:911', note: 'si está en peligro ahora mismo' },
      ],
    },
  },
}

/** `us`, or a file of the operator's. Refuses a file that does not fit: a page without help must not go unnoticed. */
export function readCrisisHelp(source: string): CrisisHelp {
  if (source === 'us') return unitedStates
  const help: unknown = JSON.parse(readFileSync(source, 'utf8'))
  const [problem] = Value.Errors(CrisisHelp, help)
  if (problem !== undefined) {
    throw new Error(`CASENOTE_CRISIS_HELP: ${problem.instancePath || 'the file'} ${problem.message}`)
  }
  return help as CrisisHelp
}
