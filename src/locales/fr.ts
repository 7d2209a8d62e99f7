// French. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: 'Annulé', message: 'L’opération a été annulée.' },
  invalidInput: {
    title: 'Vérifiez votre saisie',
    message: ({ detail }) => detail || 'Corrigez les champs signalés.',
  },
  refused: {
    title: 'Cela n’a pas fonctionné',
    message: ({ detail }) => detail || 'Le service a refusé cette demande.',
  },
  signInFailed: { title: 'Échec de la connexion', message: 'Vérifiez votre saisie et réessayez.' },
  codeRefused: { title: 'Non accepté', message: 'Vérifiez votre saisie et réessayez.' },
  codeExpired: { title: 'Vérification expirée', message: 'La vérification a expiré. Recommencez.' },
  mfaFailed: {
    title: 'Échec de la vérification',
    message: ({ count }) =>
      count === 1
        ? 'La réponse n’a pas été acceptée. Recommencez.'
        : `${count} réponses n’ont pas été acceptées. Recommencez.`,
  },
  mfaRequired: { title: 'Vérification requise', message: 'Confirmez qu’il s’agit bien de vous.' },
  signedOut: { title: 'Déconnecté', message: 'Connectez-vous pour continuer.' },
  forbidden: { title: 'Non autorisé', message: ({ detail }) => detail || 'Vous n’avez pas le droit de faire cela.' },
  notFound: { title: 'Introuvable', message: ({ detail }) => detail || 'Cela n’existe pas ou n’existe plus.' },
  rateLimited: {
    title: 'Trop de tentatives',
    message: ({ when }) => `Réessayez ${when('fr') ?? 'plus tard'}.`,
  },
  accountDisabled: { title: 'Compte désactivé', message: 'Ce compte est désactivé. Voulez-vous le restaurer ?' },
  accountDeleted: {
    title: 'Suppression du compte prévue',
    message: 'La suppression de ce compte est prévue. Voulez-vous le restaurer ?',
  },
  serviceDown: { title: 'Service indisponible', message: 'Le service rencontre un problème. Réessayez plus tard.' },
  offline: { title: 'Vous êtes hors ligne', message: 'Vérifiez votre connexion et réessayez.' },
  unreachable: { title: 'Aucune connexion', message: 'Le service est injoignable. Réessayez.' },
  corsSuspected: { title: 'Aucune connexion', message: 'Le service est injoignable. Réessayez.' },
  timeout: { title: 'Délai dépassé', message: 'Cela a pris trop de temps. Réessayez.' },
  unreadable: {
    title: 'Réponse inattendue',
    message: 'Votre modification a peut-être été enregistrée. Rechargez la page pour le voir.',
  },
  passkeyUnsupported: {
    title: 'Clés d’accès indisponibles',
    message: 'Cet appareil ou ce navigateur ne peut pas utiliser de clé d’accès ici.',
  },
  passkeyFailed: {
    title: 'Échec de la clé d’accès',
    message: 'La clé d’accès n’a pas fonctionné. Réessayez ou utilisez une autre méthode.',
  },
  unexpected: { title: 'Un problème est survenu', message: 'Une erreur inattendue s’est produite.' },
  fields: {
    required: 'Obligatoire.',
    invalid_type: 'Cette valeur est du mauvais type.',
    invalid_value: 'Cette valeur n’est pas possible ici.',
    invalid_format: 'Cette valeur est mal formée.',
    unknown_field: 'Ce champ est inconnu.',
    too_short: 'Saisissez au moins {limit} caractères.',
    too_long: 'Saisissez au plus {limit} caractères.',
    too_few: 'Choisissez-en au moins {limit}.',
    too_many: 'Choisissez-en au plus {limit}.',
    conflict: 'Cette valeur contredit un autre champ.',
    too_deep: 'L’imbrication est trop profonde.',
  },
}

const attemptsLeft = (count: number) => (count === 1 ? 'Il reste une tentative.' : `Il reste ${count} tentatives.`)
const repeated = 'Cela a déjà été refusé. Saisissez autre chose.'

/** French texts. Not reviewed by a native speaker. */
export const fr: Locale = {
  errors,
  dialog: {
    lang: 'fr',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login'
        ? 'Confirmez votre connexion'
        : reason === 'password_reset'
          ? 'Confirmez votre nouveau mot de passe'
          : 'Confirmez qu’il s’agit bien de vous',
    operations: {
      'Logout Auth Sessions': 'Déconnecter des appareils',
      'Create Handoff Token': 'Se connecter sur un autre appareil',
      'Publish Application Widget Config': 'Publier un widget',
      'Delete Application Widget Config': 'Supprimer un widget',
    },
    choose: 'Confirmer avec',
    methods: {
      totp: {
        name: 'Application d’authentification',
        hint: 'Saisissez le code de votre application d’authentification.',
        label: 'Code',
      },
      sms: { name: 'SMS', hint: 'Demandez un code par SMS, puis saisissez-le.', label: 'Code' },
      backup: { name: 'Code de secours', hint: 'Saisissez un code encore inutilisé.', label: 'Code de secours' },
      password: { name: 'Mot de passe', hint: 'Saisissez votre mot de passe.', label: 'Mot de passe' },
      webauthn: {
        name: 'Clé d’accès',
        hint: 'Utilisez votre clé d’accès ou votre clé de sécurité.',
        verify: 'Utiliser la clé d’accès',
      },
    },
    noMethod: 'Ce compte ne dispose d’aucun moyen de confirmation.',
    send: 'Envoyer un code',
    sendAgain: 'Renvoyer',
    sendAgainIn: (when) => `Renvoyer ${when}`,
    sending: 'Envoi en cours…',
    sent: (phone) => `Code envoyé au ${phone}.`,
    verify: 'Vérifier',
    verifyIn: (when) => `Réessayer ${when}`,
    verifying: 'Vérification…',
    cancel: 'Annuler',
    empty: 'Remplissez ce champ.',
    digits: (count) => `Saisissez les ${count} chiffres du code.`,
    refused: 'Cela n’a pas été accepté.',
    repeated,
    attemptsLeft,
    rateLimited: 'Trop de tentatives.',
    unavailable: 'Le service est injoignable. Réessayez.',
    expired: 'Cela a pris trop de temps. Confirmez de nouveau pour continuer.',
    failed: 'Cela n’a pas fonctionné. Réessayez.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: 'La connexion', password_reset: 'Le nouveau mot de passe', elevation: `« ${endpoint} »` }
      return `${subject[reason]} exige une vérification.`
    },
    choices: {
      totp: 'Code de votre application d’authentification',
      sms: 'Envoyer un code par SMS',
      backup: 'Code de secours',
      password: 'Mot de passe',
    },
    choose: (count, preset) => `Numéro de 1 à ${count} [${preset}]`,
    prompts: {
      totp: 'Code de votre application d’authentification',
      sms: 'Code reçu par SMS',
      backup: 'Code de secours',
      password: 'Mot de passe',
    },
    enter: {
      send: 'Entrée pour l’envoyer',
      sendAgain: 'Entrée pour en envoyer un autre',
      otherMethod: 'Entrée pour les autres méthodes',
    },
    sent: (phone) => `Envoyé au ${phone}.`,
    sendAgainIn: (seconds) => `Un autre SMS pourra être envoyé dans ${seconds} s.`,
    attemptsLeft,
    repeated,
    closed: 'Une réponse n’est plus nécessaire.',
    errors,
  },
}
