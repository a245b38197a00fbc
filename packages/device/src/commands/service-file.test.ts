import { describe, expect, it } from 'vitest'
import { serviceFile, type ServiceProgram } from './service-file.ts'

const program: ServiceProgram = {
  command: ['/opt/my node/bin/node', '/opt/hearth/main.ts'],
  home: '/home/me/100% "mine"',
  drainSeconds: 120,
}

describe('the service', () => {
  it('is a systemd user unit on Linux, with time to finish its jobs', () => {
    const unit = serviceFile(program, 'linux', 1000, '/home/me')!
    expect(unit.path).toBe('/home/me/.config/systemd/user/hearth-device.service')
    expect(unit.content).toContain(
      'ExecStart="/opt/my node/bin/node" "/opt/hearth/main.ts" "--home" "/home/me/100%% \\"mine\\"" "start"',
    )
    expect(unit.content).toMatch(/Restart=always[\s\S]*TimeoutStopSec=150/)
    // A core dump would hold prompts.
    expect(unit.content).toMatch(/^LimitCORE=0$/m)
    expect(unit.install.at(-1)).toEqual(['systemctl', '--user', 'enable', '--now', 'hearth-device.service'])
  })

  it('is a launch agent on macOS', () => {
    const agent = serviceFile(program, 'darwin', 501, '/Users/me')!
    expect(agent.path).toBe('/Users/me/Library/LaunchAgents/org.hearth.device.plist')
    expect(agent.content).toContain('<string>/home/me/100% &quot;mine&quot;</string>')
    expect(agent.content).toContain('<key>KeepAlive</key><true/>')
    expect(agent.install).toEqual([['launchctl', 'bootstrap', 'gui/501', agent.path]])
  })

  it('is a scheduled task on Windows that also runs on battery', () => {
    const task = serviceFile(program, 'win32', 0)!
    expect(task.encoding).toBe('utf16le')
    expect(task.content).toContain('<DisallowStartIfOnBatteries>false')
    expect(task.content).toContain('<Command>/opt/my node/bin/node</Command>')
    expect(task.uninstall.at(-1)).toContain('/Delete')
  })

  it('is not supported on other systems', () => {
    expect(serviceFile(program, 'aix', 0)).toBeUndefined()
  })
})
