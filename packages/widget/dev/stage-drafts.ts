import type { DraftRows } from '../src/frame/engine/engine.js'
import type { Vault } from '../src/frame/engine/recordings/sealed.js'
import { clinician } from './stage-data.js'

interface Row {
  draftId: string
}

/** What lies on the device, in memory and open: the tests of the engine look at how it is sealed. */
export function makeStageDrafts(): DraftRows {
  const rows = new Map<string, Row>()
  return {
    list: (async () => [...rows.values()]) as DraftRows['list'],
    put: async (_table, row) => void rows.set((row as Row).draftId, row as Row),
    sweep: async (_table, apply) => {
      for (const row of rows.values()) {
        const next = apply(row as never) as Row | null
        if (next === null) rows.delete(row.draftId)
        else rows.set(row.draftId, next)
      }
    },
    remove: async (_table, keys) => keys.forEach((key) => rows.delete(key)),
  }
}

export const stageVault: Vault = {
  clinicianId: clinician.id,
  seal: async (_place, plain) => ({
    keyVersion: 1,
    iv: new Uint8Array(12),
    data: new Uint8Array(plain).slice().buffer,
  }),
  unseal: async (_place, { data }) => data,
}
