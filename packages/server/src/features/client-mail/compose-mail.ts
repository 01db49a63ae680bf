export type MailKind = 'assessments' | 'invitation'

export interface MailText {
  subject: string
  text: string
  html: string
}

interface Words {
  subject: string
  /** Before the link. */
  lead: string
  button: string
}

/**
 * A mailbox is read by others: no name, no clinic, no form and nothing about health is in a mail, so that it says no more
 * than that somebody is asked to open a page.
 */
const WORDS: Readonly<Record<MailKind, Words>> = {
  assessments: {
    subject: 'Please answer a few questions',
    lead: 'You are asked to answer a few questions before your next appointment. It takes some minutes, and you can stop and go on later.',
    button: 'Open the questions',
  },
  invitation: {
    subject: 'You have an invitation',
    lead: 'You are invited to take part. The page tells you by whom and what for; you can accept or decline there.',
    button: 'Open the invitation',
  },
}

const asking = 'You will be asked for your date of birth, so that nobody else can open it.'
const unexpected = 'If you did not expect this message, you can ignore it. Please do not forward it.'

export function composeMail(kind: MailKind, url: string, expiresAt: Date): MailText {
  const { subject, lead, button } = WORDS[kind]
  const until = `The link works until ${formatDay(expiresAt)}.`
  return {
    subject,
    text: [lead, url, `${until} ${asking}`, unexpected].join('\n\n') + '\n',
    html: writeHtml({ subject, button, url, paragraphs: [lead, `${until} ${asking}`, unexpected] }),
  }
}

/** In no time zone of anybody's: the last whole day on which the link works everywhere. */
const formatDay = (expiresAt: Date): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'Etc/GMT+12' }).format(expiresAt)

/** No image, no style sheet, nothing to load: nobody learns that the mail was opened. */
function writeHtml(of: { subject: string; button: string; url: string; paragraphs: string[] }): string {
  const [lead = '', ...rest] = of.paragraphs.map(escapeHtml)
  const url = escapeHtml(of.url)
  const paragraph = (content: string): string => `<p style="margin:0 0 20px">${content}</p>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(of.subject)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1c2a2f;font:17px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto">
${paragraph(lead)}
${paragraph(`<a href="${url}" style="display:inline-block;padding:12px 20px;background:#0b5c6b;color:#ffffff;border-radius:8px;text-decoration:none">${escapeHtml(of.button)}</a>`)}
${rest.map(paragraph).join('\n')}
${paragraph(`<span style="color:#50616a">If the button does not work, copy this address:<br>${url}</span>`)}
</div>
</body>
</html>
`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
