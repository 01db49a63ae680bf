import type { TextLanguage } from '@casenote/contract'
import { en } from './en.js'
import { es } from './es.js'
import type { MailTexts } from './mail-texts.js'

export const mailTexts: Readonly<Record<TextLanguage, MailTexts>> = { en, es }
