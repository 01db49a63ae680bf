export function makeAudio(args: readonly string[], input?: Buffer): Buffer
