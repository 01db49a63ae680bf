interface Words {
  subject: string
  /** Before the link. */
  lead: string
  button: string
}

/**
 * Every word of the mails to clients; a language is one more file of this shape. A mailbox is read by others: no name, no
 * clinic, no form and nothing about health is in a mail, so that it says no more than that somebody is asked to open a page.
 */
export interface MailTexts {
  assessments: Words
  invitation: Words
  until: string
  asking: string
  unexpected: string
  /** Before the address, where the button does not work. */
  copyAddress: string
  /** In a mail in another language, to whoever reads this one. */
  also: string
}
