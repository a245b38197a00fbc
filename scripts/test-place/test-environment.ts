// What the tests see of the environment of whoever runs them: how to find programs and packages, and what is meant for tests. Nothing that
// Hearth, Node or another program would take as a setting.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Environment = Readonly<Record<string, string | undefined>>

const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/hearth/compiled', import.meta.url))
const KEPT = new RegExp(
  `^(?:${[
    'PATH|LD_LIBRARY_PATH|CUDA_\\w+|USER|LOGNAME|CI|TERM|COLORTERM|NO_COLOR|FORCE_COLOR',
    'SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE',
    // Where npm and pip find packages.
    'PIP_\\w+|npm_config_(?:cache|userconfig|globalconfig|registry|cafile|proxy|https_proxy|noproxy)',
    // Of vitest, and of whoever wants other tests than usual.
    'VITEST\\w*|TEST|HEARTH_TEST_\\w+|HEARTH_STARTER_GGUF|HEARTH_LLAMA_SERVER',
    // Without these, little runs on Windows.
    'Path|PATHEXT|ComSpec|SystemDrive|SystemRoot|windir|Program(?:Data|Files|W6432).*',
  ].join('|')})$`,
)

export interface TestFolders {
  home: string
  temporary: string
}

export function testEnvironment(given: Environment, { home, temporary }: TestFolders): Record<string, string> {
  const kept = Object.entries(given).filter(([name]) => KEPT.test(name))
  return onlyTexts({
    ...packagePlaces(given),
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: join(home, 'local'),
    APPDATA: join(home, 'roaming'),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NODE_ENV: 'test',
    // Every process that a test starts compiles the same modules.
    NODE_COMPILE_CACHE: COMPILED,
    // No test installs the command for whoever runs the tests.
    HEARTH_INSTALL: 'off',
    // A server that runs on the machine is none of the tests' business.
    HEARTH_DEVICE_FIND_SERVERS: 'off',
  })
}

/** npm, pip and `npm run servers` keep the person's downloads and registries, and reach them through the person's proxy, which Hearth doesn't see. */
function packagePlaces(given: Environment): Environment {
  const { HOME: home = '', XDG_CACHE_HOME: cache, XDG_CONFIG_HOME: config } = given
  const ofPip = [join(config || join(home, '.config'), 'pip', 'pip.conf'), join(home, '.pip', 'pip.conf')]
  const proxy = given['https_proxy'] || given['HTTPS_PROXY'] || given['http_proxy'] || given['HTTP_PROXY']
  return {
    npm_config_cache: join(home, '.npm'),
    npm_config_userconfig: join(home, '.npmrc'),
    npm_config_https_proxy: proxy,
    npm_config_noproxy: given['no_proxy'] || given['NO_PROXY'],
    PIP_CACHE_DIR: join(cache || join(home, '.cache'), 'pip'),
    PIP_CONFIG_FILE: ofPip.find((path) => existsSync(path)),
    PIP_PROXY: proxy,
    HEARTH_SERVERS: join(cache || join(home, '.cache'), 'hearth-servers'),
  }
}

function onlyTexts(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return Object.fromEntries(entries)
}
