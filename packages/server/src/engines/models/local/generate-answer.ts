import { EngineFault } from '../../engine-fault.js'
import type { LlamaText, Token } from './llama-runtime.js'
import type { Figures, ModelRequest } from './model-messages.js'
import { batchTokens, type OpenModel } from './open-model.js'

export type Generation = Extract<ModelRequest, { kind: 'generate' }>

export type GenerationEnd = { isStopped: true } | { isStopped: false; isCutShort: boolean; figures: Figures }

/** A character has at most four bytes, each of which may be a token; more of them are broken text. */
const pendingTokensMax = 8

/** Room below which an answer would be cut off at once. */
const answerTokensMin = 64

/** Reads the prompt, of which it keeps what it has read before, and writes until the grammar ends or the room does. */
export async function generateAnswer(
  open: OpenModel,
  request: Generation,
  isStopped: () => boolean,
  onText: (text: string) => void,
): Promise<GenerationEnd> {
  const { model, sequence, contextTokens } = open
  const prompt = tokenize(open, request)
  if (prompt.length + Math.min(answerTokensMin, request.outputTokensMax) > contextTokens) {
    throw new EngineFault(
      'refused',
      `the prompt has ${prompt.length} tokens, the context of the local model ${contextTokens}`,
    )
  }
  const startedAt = performance.now()
  // The last token is always evaluated: what follows is guessed from it.
  await sequence.adaptStateToTokens(prompt.slice(0, -1), false)
  const reusedTokens = sequence.nextTokenIndex
  for (let start = reusedTokens; start < prompt.length - 1; start += batchTokens) {
    if (isStopped()) return { isStopped: true }
    const end = Math.min(start + batchTokens, prompt.length - 1)
    await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(start, end))
  }
  const readAt = performance.now()
  const grammar = await open.llama.createGrammar({ grammar: request.grammar })
  const outputTokensMax = Math.min(request.outputTokensMax, contextTokens - prompt.length)
  const text = new TextOfTokens(open, onText)
  let outputTokens = 0
  let isCutShort = true
  const written = sequence.evaluate(prompt.slice(-1), {
    temperature: 0,
    grammarEvaluationState: new open.runtime.LlamaGrammarEvaluationState({ model, grammar }),
    yieldEogToken: true,
  })
  for await (const token of written) {
    if (isStopped()) return { isStopped: true }
    if (model.isEogToken(token)) {
      isCutShort = false
      break
    }
    text.add(token)
    outputTokens += 1
    if (outputTokens >= outputTokensMax) break
  }
  text.end()
  const figures = {
    promptTokens: prompt.length,
    reusedTokens,
    readMs: readAt - startedAt,
    outputTokens,
    writeMs: performance.now() - readAt,
  }
  return { isStopped: false, isCutShort, figures }
}

function tokenize({ runtime, model, wrapper }: OpenModel, { system, user }: Generation): Token[] {
  const state = wrapper.generateContextState({
    chatHistory: [
      { type: 'system', text: system },
      { type: 'user', text: user },
      { type: 'model', response: [] },
    ],
  })
  // For models whose answers begin with the name of a channel.
  const opening: LlamaText[] =
    state.noPrefixTrigger?.type === 'response' ? [state.noPrefixTrigger.inject] : []
  return runtime.LlamaText([state.contextText, ...opening]).tokenize(model.tokenizer, 'trimLeadingSpace')
}

/** Holds tokens back that are a part of a character. */
class TextOfTokens {
  readonly #open: OpenModel
  readonly #onText: (text: string) => void
  #pending: Token[] = []
  #last: Token[] = []

  constructor(open: OpenModel, onText: (text: string) => void) {
    this.#open = open
    this.#onText = onText
  }

  add(token: Token): void {
    this.#pending.push(token)
    const text = this.#open.model.detokenize(this.#pending, false, this.#last)
    if (!text.endsWith('\uFFFD') || this.#pending.length >= pendingTokensMax) this.#give(text)
  }

  end(): void {
    if (this.#pending.length > 0) this.#give(this.#open.model.detokenize(this.#pending, false, this.#last))
  }

  #give(text: string): void {
    this.#last = [...this.#last, ...this.#pending].slice(-pendingTokensMax)
    this.#pending = []
    if (text !== '') this.#onText(text)
  }
}
