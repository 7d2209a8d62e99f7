// A small package as a bundler builds it: two entries that share a chunk, one-letter names and suffixes included.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const manifest = {
  name: 'toy',
  version: '1.2.0',
  scripts: { api: 'true' },
  exports: {
    '.': { import: { types: './dist/index.d.ts' }, require: { types: './dist/index.d.cts' } },
    './parts': { import: { types: './dist/parts.d.ts' }, require: { types: './dist/parts.d.cts' } },
    './package.json': './package.json',
  },
}

/** The declarations of the toy, by file. */
export const toy: Readonly<Record<string, string>> = {
  'index.d.ts': `import { M as Message$1, p as parts } from './chunk-AbC123.js';
import * as z from 'zod/mini';

interface Message {
    readonly text: string;
}
declare abstract class Wire {
    close(): void;
}
/** Where to connect. */
interface Options {
    /** The address. */
    readonly url: string;
    readonly retries?: number;
}
declare class Client extends Wire {
    #private;
    private secret;
    constructor(options: Options);
    send(message: Message, pair: [number, Shade?]): Promise<Message$1>;
    protected readonly sent: z.ZodMiniNumber;
}
declare const Shade: {
    readonly LIGHT: 1;
    readonly DARK: 2;
};
type Shade = (typeof Shade)[keyof typeof Shade];
declare function open(url: string): Client;
declare function open(options: Options): Client;

export { Client, type Options, Shade, open, parts };
`,
  'chunk-AbC123.d.ts': `interface Message {
    readonly id: number;
}
declare function send(message: Message): void;
type parts_Message = Message;
declare const parts_send: typeof send;
declare namespace parts {
  export { type parts_Message as Message, parts_send as send };
}

export { type Message as M, parts as p, send as s };
`,
  'parts.d.ts': `export { M as Message, s as send } from './chunk-AbC123.js';
`,
}

/** Writes the toy, its CommonJS declarations from the others. */
export function writeToy(root: string, declarations: Readonly<Record<string, string>> = toy): void {
  write(join(root, 'package.json'), JSON.stringify(manifest))
  for (const [file, text] of Object.entries(declarations)) {
    write(join(root, 'dist', file), text)
    write(join(root, 'dist', file.replace('.d.ts', '.d.cts')), text.replaceAll(".js'", ".cjs'"))
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
