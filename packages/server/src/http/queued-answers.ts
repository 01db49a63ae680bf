import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Answers by their connection. Who asks again without waiting has several; when the connection goes, Node tells only the one whose
 * turn it is, and the others would neither finish nor close: whatever is kept until they do would be kept for ever.
 */
export class QueuedAnswers {
  readonly #newest = new WeakMap<Socket, ServerResponse>()
  readonly #queued = new WeakMap<Socket, Set<ServerResponse>>()

  /** Takes an answer on: it finishes from here on, or closes. */
  add({ socket }: IncomingMessage, answer: ServerResponse): void {
    const before = this.#newest.get(socket)
    this.#newest.set(socket, answer)
    // Nearly all ask one after the other, and cost no more than this look.
    if (before === undefined || before.writableFinished) return
    const answers = this.#queued.get(socket) ?? this.#watch(socket)
    answers.add(answer)
    answer.once('close', () => answers.delete(answer))
  }

  #watch(socket: Socket): Set<ServerResponse> {
    const answers = new Set<ServerResponse>()
    this.#queued.set(socket, answers)
    socket.once('close', () => {
      // One that has the connection hears of it from Node.
      for (const answer of answers) if (answer.socket === null) answer.destroy().emit('close')
    })
    return answers
  }
}
