// Polish. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

/** Returns the form of a noun after a number: 1, 2 to 4, or 5 and more. */
const plural = (count: number, one: string, few: string, many: string): string => {
  const form = new Intl.PluralRules('pl').select(count)
  return `${count} ${form === 'one' ? one : form === 'few' ? few : many}`
}

const errors: Locale['errors'] = {
  cancelled: { title: 'Anulowano', message: 'Operacja została anulowana.' },
  invalidInput: {
    title: 'Sprawdź wpisane dane',
    message: ({ detail }) => detail || 'Popraw zaznaczone pola.',
  },
  refused: { title: 'Nie udało się', message: ({ detail }) => detail || 'Usługa to odrzuciła.' },
  signInFailed: { title: 'Logowanie nie powiodło się', message: 'Sprawdź wpisane dane i spróbuj ponownie.' },
  codeRefused: { title: 'Nie przyjęto', message: 'Sprawdź wpisane dane i spróbuj ponownie.' },
  codeExpired: { title: 'Weryfikacja wygasła', message: 'Weryfikacja wygasła. Zacznij od nowa.' },
  mfaFailed: {
    title: 'Weryfikacja nie powiodła się',
    message: ({ count }) =>
      count === 1
        ? 'Odpowiedź nie została przyjęta. Zacznij od nowa.'
        : `Liczba nieprzyjętych odpowiedzi: ${count}. Zacznij od nowa.`,
  },
  mfaRequired: { title: 'Wymagana weryfikacja', message: 'Potwierdź, że to Ty.' },
  signedOut: { title: 'Wylogowano', message: 'Zaloguj się, aby kontynuować.' },
  forbidden: { title: 'Niedozwolone', message: ({ detail }) => detail || 'Nie masz do tego uprawnień.' },
  notFound: { title: 'Nie znaleziono', message: ({ detail }) => detail || 'To nie istnieje lub już nie istnieje.' },
  rateLimited: {
    title: 'Zbyt wiele prób',
    message: ({ when }) => `Spróbuj ponownie ${when('pl') ?? 'później'}.`,
  },
  accountDisabled: { title: 'Konto wyłączone', message: 'To konto jest wyłączone. Czy chcesz je przywrócić?' },
  accountDeleted: {
    title: 'Konto oznaczone do usunięcia',
    message: 'To konto jest oznaczone do usunięcia. Czy chcesz je przywrócić?',
  },
  serviceDown: { title: 'Usługa niedostępna', message: 'Usługa ma problem. Spróbuj ponownie później.' },
  offline: { title: 'Brak internetu', message: 'Sprawdź połączenie i spróbuj ponownie.' },
  unreachable: { title: 'Brak połączenia', message: 'Nie można połączyć się z usługą. Spróbuj ponownie.' },
  corsSuspected: { title: 'Brak połączenia', message: 'Nie można połączyć się z usługą. Spróbuj ponownie.' },
  timeout: { title: 'Przekroczono czas', message: 'Trwało to zbyt długo. Spróbuj ponownie.' },
  unreadable: {
    title: 'Nieoczekiwana odpowiedź',
    message: 'Zmiana mogła zostać zapisana. Odśwież stronę, aby to sprawdzić.',
  },
  passkeyUnsupported: {
    title: 'Klucze dostępu niedostępne',
    message: 'To urządzenie lub ta przeglądarka nie może tu używać kluczy dostępu.',
  },
  passkeyFailed: {
    title: 'Klucz dostępu nie zadziałał',
    message: 'Klucz dostępu nie zadziałał. Spróbuj ponownie lub użyj innej metody.',
  },
  unexpected: { title: 'Coś poszło nie tak', message: 'Wystąpił nieoczekiwany błąd.' },
  fields: {
    required: 'Wymagane.',
    invalid_type: 'Ta wartość jest niewłaściwego typu.',
    invalid_value: 'Ta wartość nie jest tu możliwa.',
    invalid_format: 'Ta wartość ma niewłaściwy format.',
    unknown_field: 'To pole jest nieznane.',
    too_short: 'Minimalna liczba znaków: {limit}.',
    too_long: 'Maksymalna liczba znaków: {limit}.',
    too_few: 'Wybierz co najmniej {limit}.',
    too_many: 'Wybierz co najwyżej {limit}.',
    conflict: 'Ta wartość jest sprzeczna z innym polem.',
    too_deep: 'Zbyt głębokie zagnieżdżenie.',
  },
}

const attemptsLeft = (count: number) => `Pozostało: ${plural(count, 'próba', 'próby', 'prób')}.`
const repeated = 'To zostało już odrzucone. Wpisz coś innego.'

/** Polish texts. Not reviewed by a native speaker. */
export const pl: Locale = {
  errors,
  dialog: {
    lang: 'pl',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login'
        ? 'Potwierdź logowanie'
        : reason === 'password_reset'
          ? 'Potwierdź nowe hasło'
          : 'Potwierdź, że to Ty',
    operations: {
      'Logout Auth Sessions': 'Wyloguj urządzenia',
      'Create Handoff Token': 'Zaloguj się na innym urządzeniu',
      'Publish Application Widget Config': 'Opublikuj widżet',
      'Delete Application Widget Config': 'Usuń widżet',
    },
    choose: 'Potwierdź za pomocą',
    methods: {
      totp: {
        name: 'Aplikacja uwierzytelniająca',
        hint: 'Wpisz kod z aplikacji uwierzytelniającej.',
        label: 'Kod',
      },
      sms: { name: 'SMS', hint: 'Poproś o kod w wiadomości SMS i wpisz go.', label: 'Kod' },
      backup: { name: 'Kod zapasowy', hint: 'Wpisz nieużyty kod.', label: 'Kod zapasowy' },
      password: { name: 'Hasło', hint: 'Wpisz swoje hasło.', label: 'Hasło' },
      webauthn: {
        name: 'Klucz dostępu',
        hint: 'Użyj klucza dostępu lub klucza bezpieczeństwa.',
        verify: 'Użyj klucza dostępu',
      },
    },
    noMethod: 'To konto nie ma żadnej metody potwierdzenia.',
    send: 'Wyślij kod',
    sendAgain: 'Wyślij ponownie',
    sendAgainIn: (when) => `Wyślij ponownie ${when}`,
    sending: 'Wysyłanie…',
    sent: (phone) => `Kod wysłano na numer ${phone}.`,
    verify: 'Zweryfikuj',
    verifyIn: (when) => `Spróbuj ponownie ${when}`,
    verifying: 'Weryfikowanie…',
    cancel: 'Anuluj',
    empty: 'Wypełnij to pole.',
    digits: (count) => `Wpisz wszystkie cyfry kodu (${count}).`,
    refused: 'To nie zostało przyjęte.',
    repeated,
    attemptsLeft,
    rateLimited: 'Zbyt wiele prób.',
    unavailable: 'Nie można połączyć się z usługą. Spróbuj ponownie.',
    expired: 'Trwało to zbyt długo. Potwierdź ponownie, aby kontynuować.',
    failed: 'Nie udało się. Spróbuj ponownie.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: 'Logowanie', password_reset: 'Nowe hasło', elevation: `„${endpoint}”` }
      return `${subject[reason]} wymaga weryfikacji.`
    },
    choices: {
      totp: 'Kod z aplikacji uwierzytelniającej',
      sms: 'Wyślij kod w wiadomości SMS',
      backup: 'Kod zapasowy',
      password: 'Hasło',
    },
    choose: (count, preset) => `Numer od 1 do ${count} [${preset}]`,
    prompts: {
      totp: 'Kod z aplikacji uwierzytelniającej',
      sms: 'Kod z wiadomości SMS',
      backup: 'Kod zapasowy',
      password: 'Hasło',
    },
    enter: {
      send: 'Enter wysyła kod',
      sendAgain: 'Enter wysyła następny',
      otherMethod: 'Enter pokazuje inne metody',
    },
    sent: (phone) => `Wysłano na numer ${phone}.`,
    sendAgainIn: (seconds) => `Następny SMS będzie można wysłać za ${seconds} s.`,
    attemptsLeft,
    repeated,
    closed: 'Odpowiedź nie jest już potrzebna.',
    errors,
  },
}
