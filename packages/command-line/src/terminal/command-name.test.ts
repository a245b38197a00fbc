import { expect, it } from 'vitest'
import { withCommandName } from './command-name.ts'

function write(text: string, name: string | undefined): string {
  let written = ''
  withCommandName({ write: (more) => (written += more) }, 'hearth-device', name).write(text)
  return written
}

it('advises commands by the name that the person used', () => {
  expect(write('→ hearth-device start\n', 'hearth device')).toBe('→ hearth device start\n')
  expect(write('Usage: hearth-device [options]', 'hearth')).toBe('Usage: hearth [options]')
  expect(write('→ hearth-device start\n', undefined)).toBe('→ hearth-device start\n')
})

it('leaves folders and packages as they are', () => {
  const text = 'in ~/.hearth-device and /home/ann/.hearth-device/bin/hearth-device and hearth-device-install x'
  expect(write(text, 'hearth')).toBe(text)
})
