/** Bytes in megabytes, and in kilobytes where those would read 0.0. */
export const fileSize = (bytes: number) =>
  bytes < 104_858 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`
