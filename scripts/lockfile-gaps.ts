// Packages in the lockfile without a checksum. All are builds for other platforms that the registry mirror this lockfile was made with does
// not carry. Wherever a full registry can be reached, `npm install --package-lock-only` fills them in; then remove them here. A new entry
// belongs here only if no registry you can reach has the package.

interface Gaps {
  prefix: string
  version: string
  platforms: readonly string[]
}

const GAPS: readonly Gaps[] = [
  {
    prefix: '@node-llama-cpp/',
    version: '3.22.1',
    platforms: ['mac-arm64-metal', 'mac-x64', 'win-arm64', 'win-x64'],
  },
  {
    prefix: '@oxc-parser/binding-',
    version: '0.155.0',
    platforms: [
      'android-arm-eabi',
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'freebsd-x64',
      'linux-arm-gnueabihf',
      'linux-arm-musleabihf',
      'linux-arm64-musl',
      'linux-ppc64-gnu',
      'linux-riscv64-gnu',
      'linux-riscv64-musl',
      'linux-s390x-gnu',
      'linux-x64-musl',
      'openharmony-arm64',
      'win32-arm64-msvc',
      'win32-ia32-msvc',
      'win32-x64-msvc',
    ],
  },
  {
    prefix: '@oxfmt/binding-',
    version: '0.77.0',
    platforms: [
      'android-arm-eabi',
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'freebsd-x64',
      'linux-arm-gnueabihf',
      'linux-arm-musleabihf',
      'linux-arm64-musl',
      'linux-ppc64-gnu',
      'linux-riscv64-gnu',
      'linux-riscv64-musl',
      'linux-s390x-gnu',
      'linux-x64-musl',
      'openharmony-arm64',
      'win32-arm64-msvc',
      'win32-ia32-msvc',
      'win32-x64-msvc',
    ],
  },
  {
    prefix: '@oxlint-tsgolint/',
    version: '7.0.2006',
    platforms: ['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'],
  },
  {
    prefix: '@oxlint/binding-',
    version: '1.93.0',
    platforms: [
      'android-arm-eabi',
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'freebsd-x64',
      'linux-arm-gnueabihf',
      'linux-arm-musleabihf',
      'linux-arm64-musl',
      'linux-ppc64-gnu',
      'linux-riscv64-gnu',
      'linux-riscv64-musl',
      'linux-s390x-gnu',
      'linux-x64-musl',
      'openharmony-arm64',
      'win32-arm64-msvc',
      'win32-ia32-msvc',
      'win32-x64-msvc',
    ],
  },
  {
    prefix: '@rolldown/binding-',
    version: '1.2.19',
    platforms: [
      'android-arm-eabi',
      'android-arm64',
      'darwin-arm64',
      'darwin-x64',
      'freebsd-x64',
      'linux-arm-gnueabihf',
      'linux-arm64-gnu',
      'linux-arm64-musl',
      'linux-ppc64-gnu',
      'linux-s390x-gnu',
      'linux-x64-musl',
      'openharmony-arm64',
      'wasm32-wasi',
      'win32-arm64-msvc',
      'win32-x64-msvc',
    ],
  },
]

export const WITHOUT_CHECKSUM: readonly string[] = GAPS.flatMap(({ prefix, version, platforms }) =>
  platforms.map((platform) => `${prefix}${platform}@${version}`),
)
