import { pickLanguage, type TextLanguage } from '@casenote/contract'
import { mailTexts } from './texts/by-language.js'

export type MailKind = 'assessments' | 'invitation'

export interface MailText {
  subject: string
  text: string
  html: string
}

export interface ClientMail {
  kind: MailKind
  url: string
  expiresAt: Date
  /** As the client's record says; null: it does not. */
  language: string | null
}

/**
 * In the language of the client's record, else in English with one sentence for who reads Spanish: the record of most
 * clients will say nothing for a while, and whoever cannot read the mail cannot find the page's own switch.
 */
export function composeMail({ kind, url, expiresAt, language }: ClientMail): MailText {
  const known = pickLanguage([language])
  const written = known ?? 'en'
  const { [kind]: words, ...texts } = mailTexts[written]
  const until = texts.until.replace('{date}', formatDay(written, expiresAt))
  // Behind the `#`, which no browser sends and no server logs: the page begins in the language of the mail.
  const address = written === 'en' ? url : `${url}#${written}`
  const last = `${until} ${texts.asking}`
  const also = known === null ? mailTexts.es.also : null
  return {
    subject: words.subject,
    text: [words.lead, address, last, texts.unexpected, ...(also === null ? [] : [also])].join('\n\n') + '\n',
    html: writeHtml({
      language: written,
      subject: words.subject,
      button: words.button,
      url: address,
      copyAddress: texts.copyAddress,
      paragraphs: [words.lead, last, texts.unexpected],
      also,
    }),
  }
}

/** As it is written in the United States, where 988 is; Spanish has one order everywhere. */
const locales: Readonly<Record<TextLanguage, string>> = { en: 'en-US', es: 'es' }

/** In no time zone of anybody's: the last whole day on which the link works everywhere. */
const formatDay = (language: TextLanguage, expiresAt: Date): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'Etc/GMT+12' }).format(expiresAt)

interface HtmlParts {
  language: TextLanguage
  subject: string
  button: string
  url: string
  copyAddress: string
  paragraphs: string[]
  /** In Spanish. */
  also: string | null
}

/** No image, no style sheet, nothing to load: nobody learns that the mail was opened. */
function writeHtml({ language, also, ...of }: HtmlParts): string {
  const [lead = '', ...rest] = of.paragraphs.map(escapeHtml)
  const url = escapeHtml(of.url)
  const paragraph = (content: string): string => `<p style="margin:0 0 20px">${content}</p>`
  const alsoHtml = also === null ? [] : [`<span lang="es">${escapeHtml(also)}</span>`]
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(of.subject)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1c2a2f;font:17px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto">
${paragraph(lead)}
${paragraph(`<a href="${url}" style="display:inline-block;padding:12px 20px;background:#0b5c6b;color:#ffffff;border-radius:8px;text-decoration:none">${escapeHtml(of.button)}</a>`)}
${[...rest, ...alsoHtml].map(paragraph).join('\n')}
${paragraph(`<span style="color:#50616a">${escapeHtml(of.copyAddress)}<br>${url}</span>`)}
</div>
</body>
</html>
`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
