import { DropdownMenu } from 'radix-ui'
import type { LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  // Inside an open dialog, the menu must be part of the dialog: nothing outside it is reachable.
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null)
  return (
    // A modal menu needs an inline style sheet, which the content security policy blocks.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild ref={(button) => setDialog(button?.closest('dialog') ?? null)}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={dialog}>
        <DropdownMenu.Content
          className="z-30 min-w-120 max-w-[min(20rem,100vw-1.5rem)] max-h-[var(--radix-dropdown-menu-content-available-height)] overflow-auto bg-raised border border-line-strong rounded shadow-large p-3"
          align={align}
          sideOffset={6}
          collisionPadding={12}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface ItemProps {
  title: string
  icon: LucideIcon
  isDanger?: boolean
  onSelect: () => void
}

export function MenuItem({ title, icon: Icon, isDanger = false, onSelect }: ItemProps) {
  return (
    <DropdownMenu.Item
      className={`flex items-center gap-6 min-h-21 rounded-small cursor-pointer select-none px-6 py-3 data-highlighted:bg-ink/7 ${isDanger ? 'text-bad' : ''}`}
      onSelect={onSelect}
    >
      <Icon size={16} aria-hidden />
      {title}
    </DropdownMenu.Item>
  )
}

interface ChoicesProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  choices: readonly { value: Value; label: ReactNode }[]
}

/** Options of which one is checked. */
export function MenuChoices<Value extends string>({ label, value, onChange, choices }: ChoicesProps<Value>) {
  function choose(next: string): void {
    const choice = choices.find((one) => one.value === next)
    if (choice) onChange(choice.value)
  }
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={choose}>
      <DropdownMenu.Label className="text-tiny text-faint px-6 pt-3.5 pb-2">{label}</DropdownMenu.Label>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          className="flex items-center gap-6 min-h-21 rounded-small cursor-pointer select-none justify-between px-6 py-3 data-highlighted:bg-ink/7"
        >
          {choice.label}
          <DropdownMenu.ItemIndicator className="text-ink">✓</DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="h-px bg-line mx-0 my-3" />
}
