import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The properties of a machine that determine whether the native library can run. */
interface Machine {
  platform: string
  arch: string
  /** False on Linux systems without the GNU C library, such as Alpine. */
  glibc: boolean
}

const thisMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  glibc: process.platform !== 'linux' || Boolean(reportHeader().glibcVersionRuntime),
})

const reportHeader = () => (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header

/**
 * Returns why the native library of the sentence model cannot be loaded on this machine, as a clause for a log line, or null.
 * onnxruntime-node contains the library for Linux (x64, arm64), Windows (x64, arm64) and macOS (arm64). Looks at files only.
 */
export function missingLibrary({ platform, arch, glibc }: Machine = thisMachine()): string | null {
  const path = `onnxruntime-node/bin/napi-v6/${platform}/${arch}/onnxruntime_binding.node`
  if (!existsSync(fileURLToPath(new URL(`../../../../node_modules/${path}`, import.meta.url))))
    return `the native library of onnxruntime-node for ${platform} ${arch} (node_modules/${path}) is missing`
  return glibc ? null : 'the native library of onnxruntime-node needs the GNU C library (glibc)'
}
