import { useState } from 'react'
import { models as modelsQuery } from '../../../api/queries/models.ts'
import { CheckField, TextField } from '../../../parts/control/field.tsx'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Tabs } from '../../../parts/control/tabs.tsx'
import { useRead } from '../../../session/use-read.ts'
import { writeCommand, isPlainWord, SYSTEMS, type CommandOptions } from './write-command.ts'

/** The command to paste, with what it should do as controls. */
export function InstallCommand({ command }: { command: string }) {
  const [options, setOptions] = useState<CommandOptions>({ isService: false, model: '' })
  const isWrong = options.model.trim() !== '' && !isPlainWord(options.model.trim())
  return (
    <div className="stack">
      <p>
        Run this in a terminal on the machine. It installs the device app, connects it to this organization and
        downloads the model.
      </p>
      <ModelField
        value={options.model}
        error={isWrong ? 'Use letters, digits and . : / - _ only' : undefined}
        onChange={(model) => setOptions((all) => ({ ...all, model }))}
      />
      <CheckField
        label="Keep it running in the background, even after a restart"
        checked={options.isService}
        onChange={({ target }) => setOptions((all) => ({ ...all, isService: target.checked }))}
      />
      <Tabs
        label="Systems"
        tabs={SYSTEMS.map((system) => ({
          name: system.name,
          content: (
            <div className="stack-small">
              <Code
                text={writeCommand(command, system, isWrong ? { ...options, model: '' } : options)}
                label="Install command"
              />
              <p className="text-soft text-small">{system.about}</p>
            </div>
          ),
        }))}
      />
      <p className="text-soft text-small">This command is shown only once. Anyone who has it can add one device.</p>
    </div>
  )
}

interface ModelFieldProps {
  value: string
  error: string | undefined
  onChange: (model: string) => void
}

function ModelField({ value, error, onChange }: ModelFieldProps) {
  const { data = [] } = useRead(modelsQuery)
  const names = data.filter(({ name, state }) => state === 'enabled' && isPlainWord(name)).map(({ name }) => name)
  return (
    <>
      <TextField
        label="Model"
        required={false}
        placeholder="starter model"
        hint="A name like qwen3:8b, hf:owner/name or a URL. Leave it empty to start with a small model."
        error={error}
        list="models-to-install"
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={value}
        onText={onChange}
      />
      <datalist id="models-to-install">
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
