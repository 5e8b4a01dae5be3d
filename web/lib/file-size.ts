/** Formats bytes as megabytes, or as kilobytes below 0.1 MB. */
export const fileSize = (bytes: number) =>
  bytes < 104_858 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`
