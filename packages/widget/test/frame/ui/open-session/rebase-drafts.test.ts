import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rebaseDrafts } from '../../../../src/frame/ui/open-session/rebase-drafts.js'

describe('drafts on a note that somebody else changed', () => {
  const keys = ['subjective', 'objective', 'plan']
  const someContents = fc.tuple(...keys.map(() => fc.constantFrom('a', 'b', 'c')))
  const toSections = (contents: string[]) =>
    keys.map((key, index) => ({ key, content: contents[index] ?? '' }))
  const someDrafts = fc
    .array(fc.tuple(fc.constantFrom(...keys), fc.constantFrom('a', 'b', 'c')))
    .map((drafts) => new Map(drafts))

  it('no draft is lost, and no saved text is overwritten unseen', () => {
    fc.assert(
      fc.property(someContents, someContents, someDrafts, (base, theirs, drafts) => {
        const rebased = rebaseDrafts(toSections(base), toSections(theirs), drafts)
        for (const [key, mine] of drafts) {
          const index = keys.indexOf(key)
          const isSaved = theirs[index] === mine
          const isUnchanged = base[index] === mine
          const isKept = rebased.drafts.get(key) === mine
          const isAsked = rebased.conflicts.some((conflict) => conflict.key === key && conflict.mine === mine)
          expect(isSaved || isUnchanged || isKept || isAsked).toBe(true)
          // Kept without a question only where nobody else touched the section.
          expect(isKept && theirs[index] !== base[index]).toBe(false)
        }
      }),
    )
  })

  it('asks when a section is gone', () => {
    const rebased = rebaseDrafts([{ key: 'plan', content: 'a' }], [], new Map([['plan', 'b']]))
    expect(rebased.conflicts).toEqual([{ key: 'plan', theirs: null, mine: 'b' }])
  })
})
