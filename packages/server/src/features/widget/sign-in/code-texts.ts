import type { TextLanguage } from '@casenote/contract'

interface CodeTexts {
  /** Without the code: subjects show on locked telephones. */
  subject: string
  code: string
  /** What it is good for and what not: a code that is read out to somebody else signs them in. */
  care: string
  unasked: string
}

export const codeTexts: Readonly<Record<TextLanguage, CodeTexts>> = {
  en: {
    subject: 'Your sign-in code',
    code: 'Your sign-in code is {code}.',
    care: 'It works once, for ten minutes, and only in the window that asked for it. Type it nowhere else, and give it to nobody: whoever asks you for it by telephone, mail or chat is not us.',
    unasked: 'If you did not ask for it, ignore this message.',
  },
  es: {
    subject: 'Su código de acceso',
    code: 'Su código de acceso es {code}.',
    care: 'Sirve una sola vez, durante diez minutos, y solo en la ventana que lo pidió. No lo escriba en ningún otro sitio ni se lo dé a nadie: quien se lo pida por teléfono, correo o chat no somos nosotros.',
    unasked: 'Si no lo pidió, ignore este mensaje.',
  },
}
