// Preloaded into a process of a test: its machine's clock is CLOCK_SHIFT_MS ahead.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs)
    else super(...args)
  }
  static now() {
    return RealDate.now() + shiftMs
  }
}
