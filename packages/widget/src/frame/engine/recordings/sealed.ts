export interface Sealed {
  keyVersion: number
  iv: Uint8Array<ArrayBuffer>
  data: ArrayBuffer
}

/** Seals what waits for its upload. The keys come from the service at each sign-in and are only ever in memory. */
export interface Vault {
  clinicianId: string
  /** `place` is bound in: a sealed slice cannot stand in for another one. */
  seal(place: string, plain: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<Sealed>
  unseal(place: string, sealed: Sealed): Promise<ArrayBuffer>
}
