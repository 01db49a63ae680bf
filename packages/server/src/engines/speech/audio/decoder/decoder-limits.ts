/** Decoding takes 20 to 60 MB of the module's memory, whatever the recording. */
export const memoryBytesMax = 512 * 1024 * 1024

/** Opus is read some 100 times as fast as it plays; three hours in an hour of CPU is a file made to be slow. */
export const cpuSecondsMax = 3600
