/** The source of a module, which Vite imports as text. */
declare module '*.ts?raw' {
  const text: string
  export default text
}
