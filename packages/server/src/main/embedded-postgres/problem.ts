/** Something the person at the keyboard can put right: the message is meant for them, a stack is not. */
export class EmbeddedPostgresProblem extends Error {
  override name = 'EmbeddedPostgresProblem'
}
