import { expect, it } from 'vitest'
import { installLine, sealInstallLine } from './install-line.ts'

const AT = 'npm exec --yes --package=https://hearth.example.com/device/v1/installer.tgz -- hearth-device-install'

it('is one line for any shell, with or without a token', () => {
  expect(installLine('https://hearth.example.com', 'he-hearth-x')).toBe(
    `${AT} https://hearth.example.com --token he-hearth-x`,
  )
  expect(installLine('https://hearth.example.com')).toBe(`${AT} https://hearth.example.com`)
})

it('allows an unencrypted connection only to a gateway on another machine', () => {
  expect(installLine('http://192.168.1.5:8080')).toContain(' --allow-insecure')
  for (const here of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])
    expect(installLine(here)).not.toContain('--allow-insecure')
})

it('installs the program that seals the same way', () => {
  expect(sealInstallLine('https://hearth.example.com')).toBe(
    'npm exec --yes --package=https://hearth.example.com/seal/v1/installer.tgz -- hearth-seal-install https://hearth.example.com',
  )
})
