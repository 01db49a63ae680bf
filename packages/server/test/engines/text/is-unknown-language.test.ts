import { describe, expect, it } from 'vitest'
import { isUnknownLanguage } from '../../../src/engines/text/is-unknown-language.js'
import { medicationVisit, therapySession } from '../session-fixtures.js'

describe('the language of a text', () => {
  it.each([
    [
      'Spanish',
      'La paciente refiere tristeza desde la primavera y se despierta a las tres. Niega ideas de muerte. Plan: diario de sueño, vuelve en una semana.',
    ],
    [
      'German',
      'Die Klientin berichtet von gedrückter Stimmung seit dem Frühling und wacht jede Nacht um drei auf. Suizidgedanken werden verneint. Nächster Termin in einer Woche.',
    ],
    [
      'French',
      'La cliente se dit triste depuis le printemps et se réveille chaque nuit à trois heures. Elle nie toute idée suicidaire. Prochain rendez-vous dans une semaine.',
    ],
    [
      'Portuguese',
      'A cliente sente tristeza desde a primavera e acorda todas as noites às três. Nega ideias de suicídio. Volta daqui a uma semana com o diário do sono.',
    ],
    [
      'Russian',
      'Клиентка говорит, что ей грустно с весны и она просыпается каждую ночь в три часа. Мысли о смерти отрицает. Следующая встреча через неделю.',
    ],
    ['Chinese', '来访者说从春天开始一直很难过，每天晚上三点醒来，没有自杀的想法，下周再来。'],
  ])('%s is not known', (_, text) => {
    expect(isUnknownLanguage([text])).toBe(true)
  })

  it.each([
    'pt tired, works double shifts, fights w/ wife; sleep 5h, appetite low. SI/HI denied. affect flat, tearful. MDD moderate. PHQ9 17. cont sertraline 50mg, start CBT-I, sleep diary, f/u 2 wks',
    'Dx GAD, r/o ADHD. Rx escitalopram 10 mg qd, hydroxyzine 25 mg prn. AVH denied, A&Ox4, TP linear, I/J fair. RTC 4 wk. Labs CMP, TSH, lipids. EKG QTc 430.',
    'María speaks Spanish at home with her abuela and her tío Joaquín; today she came alone and we spoke English for the whole hour.',
    'Triste.',
  ])('is known: %s', (text) => {
    expect(isUnknownLanguage([text])).toBe(false)
  })

  it('is known of sessions in English, also with a greeting in another language', () => {
    for (const session of [therapySession, medicationVisit]) {
      const lines = session.map(({ transcript }) => transcript)
      expect(isUnknownLanguage(lines)).toBe(false)
      expect(isUnknownLanguage(['Hola, ¿cómo está usted hoy? Pase y siéntese, por favor.', ...lines])).toBe(
        false,
      )
    }
  })
})
