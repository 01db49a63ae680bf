export interface TokenBudget {
  inputTokensMax: number
  outputTokensMax: number
}

/** The longest note, a psychiatric evaluation of 1,500 words, is some 5,000 tokens of JSON with its item numbers. */
const outputTokensMost = 8_192

/** Tokenizers differ, and chat templates add tokens of their own. */
const usableShare = 0.9

export function planBudget(contextTokens: number): TokenBudget {
  const outputTokensMax = Math.min(outputTokensMost, Math.floor(contextTokens / 4))
  return { inputTokensMax: Math.floor(contextTokens * usableShare) - outputTokensMax, outputTokensMax }
}

/** English has 4.3 to 4.7 bytes a token with the usual tokenizers; four counts too many, which is the safe side. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** Brackets, digits, colon and line end of an item take more tokens than a fourth of their bytes. */
const tokensAroundItem = 4

export const estimateItemTokens = (line: string): number => estimateTokens(line) + tokensAroundItem

export interface Window {
  start: number
  /** Exclusive. */
  end: number
}

/**
 * Windows over items that each hold at most `windowTokensMax`; each begins with the last `overlapTokens` of the one
 * before, so that a question and its answer stand together at least once. Null when one item alone is too long.
 */
export function splitWindows(
  itemTokens: readonly number[],
  windowTokensMax: number,
  overlapTokens: number,
): Window[] | null {
  const windows: Window[] = []
  let start = 0
  while (start < itemTokens.length) {
    const end = findEnd(itemTokens, start, windowTokensMax)
    if (end === start) return null
    windows.push({ start, end })
    if (end === itemTokens.length) break
    // Room for the item at `end` stays: each window has one that the one before had not.
    const room = windowTokensMax - (itemTokens[end] ?? 0)
    start = findOverlapStart(itemTokens, start, end, Math.min(overlapTokens, room))
  }
  return windows
}

function findEnd(itemTokens: readonly number[], start: number, tokensMax: number): number {
  let end = start
  let tokens = 0
  while (end < itemTokens.length) {
    tokens += itemTokens[end] ?? 0
    if (tokens > tokensMax) break
    end += 1
  }
  return end
}

/** Always after `start`. */
function findOverlapStart(
  itemTokens: readonly number[],
  start: number,
  end: number,
  overlapTokens: number,
): number {
  let next = end
  let tokens = 0
  while (next > start + 1 && tokens + (itemTokens[next - 1] ?? 0) <= overlapTokens) {
    next -= 1
    tokens += itemTokens[next] ?? 0
  }
  return next
}
